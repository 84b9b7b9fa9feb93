import { intermediateTls } from '../../control-plane/shared/tls-profile.js';
import type { AioMachine } from '../../config/schema/aio-model.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { kubeletClientCa } from './api-client-files.js';
import { aioPaths, runtimes } from './aio-paths.js';
import type { NodeFacts } from './node-facts.js';

/**
 * The kubelet's configuration file, for Kubernetes 1.27 and later. Source of the fields: k8s.io/kubelet
 * config/v1beta1/types.go
 */
export function kubeletConfiguration(sno: SnoConfig, facts: NodeFacts): string {
  const { operatingSystem } = sno.aio;
  return writeYaml({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    ...access,
    ...settings,
    ...shutdown(sno),
    clusterDNS: facts.dnsAddresses,
    containerRuntimeEndpoint: `unix://${runtimes[operatingSystem].socket}`,
    resolvConf: resolvConf(operatingSystem),
    ...(Object.keys(sno.controlPlane.featureGates).length > 0 && {
      featureGates: sno.controlPlane.featureGates,
    }),
  });
}

/** The resolv.conf for pods. It must not name the stub resolver on loopback, which pods cannot reach. */
export function resolvConf(operatingSystem: AioMachine['operatingSystem']): string {
  // Fedora CoreOS uses systemd-resolved since Fedora 33; on RHCOS, NetworkManager writes /etc/resolv.conf.
  return operatingSystem === 'FedoraCoreOS' ? '/run/systemd/resolve/resolv.conf' : '/etc/resolv.conf';
}

/** Command-line arguments: settings without a field in the configuration file, then the user's arguments. */
export function kubeletArguments(sno: SnoConfig, facts: NodeFacts): readonly string[] {
  const address = facts.nodeAddress ?? (facts.networks.family === 'IPv6' ? '::' : undefined);
  const flags = {
    config: [aioPaths.kubeletConfig],
    'bootstrap-kubeconfig': [aioPaths.bootstrapKubeconfig],
    kubeconfig: ['/var/lib/kubelet/kubeconfig'],
    'cert-dir': ['/var/lib/kubelet/pki'],
    'hostname-override': [facts.nodeName],
    ...(address !== undefined && { 'node-ip': [address] }),
    ...sno.controlPlane.extraArguments.kubelet,
  };
  return Object.entries(flags).flatMap(([flag, values]) => values.map((value) => `--${flag}=${value}`));
}

/** Clients need the API server's certificate or a token that it accepts. */
const access = {
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: kubeletClientCa },
  },
  authorization: { mode: 'Webhook' },
  // Both create certificate signing requests, which sno-approve approves.
  rotateCertificates: true,
  serverTLSBootstrap: true,
};

const settings = {
  cgroupDriver: 'systemd',
  clusterDomain: 'cluster.local',
  staticPodPath: aioPaths.manifests,
  // The single node runs all pods.
  registerWithTaints: [],
  // CIS benchmark; `docs/aio.md` lists each of its items.
  readOnlyPort: 0,
  seccompDefault: true,
  // Far above the needs of a pod, far below the kernel's limit (kernel.pid_max is at least 32768).
  podPidsLimit: 4096,
  tlsMinVersion: intermediateTls.minVersion,
  tlsCipherSuites: intermediateTls.cipherSuites,
  // The kubelet checks the kernel settings instead of changing them; /etc/sysctl.d contains the expected values.
  protectKernelDefaults: true,
  serializeImagePulls: false,
  maxPods: 250,
  // Values of the prototype. The control plane pods have their own requests.
  systemReserved: { cpu: '500m', memory: '1Gi', 'ephemeral-storage': '1Gi' },
  // The default is below /usr, which is read-only.
  volumePluginDir: '/etc/kubernetes/kubelet-plugins/volume/exec',
};

function shutdown({ kubelet: { gracefulShutdown } }: SnoConfig): Readonly<Record<string, string>> {
  if (gracefulShutdown === undefined) return {};
  return {
    shutdownGracePeriod: `${gracefulShutdown.totalSeconds}s`,
    shutdownGracePeriodCriticalPods: `${gracefulShutdown.criticalPodsSeconds}s`,
  };
}
