import { intermediateTls } from '../../control-plane/shared/tls-profile.js';
import type { AioMachine } from '../../config/schema/aio-model.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { kubeletClientAuthority } from './access-files.js';
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

/** Where the kubelet finds the name servers that pods are to ask: not the stub on loopback, which no pod reaches. */
export function resolvConf(operatingSystem: AioMachine['operatingSystem']): string {
  // Fedora CoreOS runs systemd-resolved since Fedora 33; RHCOS has NetworkManager write the file itself.
  return operatingSystem === 'FedoraCoreOS' ? '/run/systemd/resolve/resolv.conf' : '/etc/resolv.conf';
}

/** Command-line arguments: what has no field in the file, and the user's own, which go first. */
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

/** Nobody is let in without a certificate of the API server or a token that it vouches for. */
const access = {
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: kubeletClientAuthority },
  },
  authorization: { mode: 'Webhook' },
  // Both are asked for by certificate requests, which sno-approve approves.
  rotateCertificates: true,
  serverTLSBootstrap: true,
};

const settings = {
  cgroupDriver: 'systemd',
  clusterDomain: 'cluster.local',
  staticPodPath: aioPaths.manifests,
  // The one node runs everything.
  registerWithTaints: [],
  // As the benchmark of CIS asks; `docs/aio.md` has each of its lines.
  readOnlyPort: 0,
  seccompDefault: true,
  // Far beyond what a pod needs, far below what a kernel has (kernel.pid_max is 32768 at least).
  podPidsLimit: 4096,
  tlsMinVersion: intermediateTls.minVersion,
  tlsCipherSuites: intermediateTls.cipherSuites,
  // The kubelet checks the kernel's settings instead of changing them; /etc/sysctl.d has what it asks for.
  protectKernelDefaults: true,
  serializeImagePulls: false,
  maxPods: 250,
  // As the prototype reserved; the control plane's own pods have requests beside it.
  systemReserved: { cpu: '500m', memory: '1Gi', 'ephemeral-storage': '1Gi' },
  // /usr is read-only, where the default would be.
  volumePluginDir: '/etc/kubernetes/kubelet-plugins/volume/exec',
};

function shutdown({ kubelet: { gracefulShutdown } }: SnoConfig): Readonly<Record<string, string>> {
  if (gracefulShutdown === undefined) return {};
  return {
    shutdownGracePeriod: `${gracefulShutdown.totalSeconds}s`,
    shutdownGracePeriodCriticalPods: `${gracefulShutdown.criticalPodsSeconds}s`,
  };
}
