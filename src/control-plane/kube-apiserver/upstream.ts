import { byCodeUnit, byKey } from '../../core/compare.js';
import { loopbackAddress } from '../../formats/cidr.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import type { Container, Probes } from '../../kube/pod-object.js';
import { configMaps } from '../loops/kinds.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { Store } from '../loops/store.js';
import { namings } from '../../pki/hostnames.js';
import { etcdHosts } from '../etcd/config.js';
import { type FlagValues, flagArguments } from '../shared/flag-list.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { upstreamPod } from '../shared/static-pod.js';
import { kubernetesPlugins, upstreamAdmission } from './admission.js';
import { anonymousArguments, authenticationConfiguration } from './anonymous-access.js';
import { upstreamRules } from './audit-policy.js';
import { localhostCertificate, servingCertificates } from './certificates.js';
import type { ApiserverConfig } from './config-model.js';
import { withGracePeriod, fieldVariable, mainContainer, probesAt, volumes } from './container.js';
import type { ApiserverDialect } from './dialect.js';
import { defaultIssuer } from './observation.js';
import type { NamedCertificate } from './operator-config.js';
import { apiserverRevision } from './revision-objects.js';
import { kubernetesObjects } from './static-objects.js';

/** Key of the AdmissionConfiguration in the ConfigMap `config`. */
const admissionFile = 'admission.yaml';
/** Key of the AuthenticationConfiguration in the ConfigMap `config`. */
const authenticationFile = 'authentication.yaml';

/** The configuration as flags of upstream's kube-apiserver. Some of them name the files of `upstreamFiles`. */
export function upstreamFlags(config: ApiserverConfig): FlagValues {
  const { serving, authentication } = config;
  const port = serving.bindAddress.lastIndexOf(':');
  return {
    'admission-control-config-file': [revisionedConfigMap('config', admissionFile)],
    ...(authentication && {
      'authentication-config': [revisionedConfigMap('config', authenticationFile)],
    }),
    'bind-address': [serving.bindAddress.slice(0, port).replace(/^\[(.*)\]$/, '$1')],
    'secure-port': [serving.bindAddress.slice(port + 1)],
    'service-account-key-file': config.serviceAccountPublicKeys,
    'service-cluster-ip-range': [config.servicesSubnet],
    'tls-cipher-suites': [serving.cipherSuites.join(',')],
    'tls-min-version': [serving.minTLSVersion],
    'tls-sni-cert-key': serving.namedCertificates.map(sniValue),
    ...config.arguments,
  };
}

/** Data of the ConfigMap that `upstreamFlags` refers to. Source: kubernetes.io/docs/reference/config-api/apiserver-admission.v1 */
export function upstreamFiles(config: ApiserverConfig): Readonly<Record<string, string>> {
  const plugins = Object.entries(config.admission).toSorted(byKey);
  return {
    [admissionFile]: writeYaml({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: plugins.map(([name, { configuration }]) => ({ name, configuration })),
    }),
    ...(config.authentication && { [authenticationFile]: writeYaml(config.authentication) }),
  };
}

/** `certificate,key[:name,…]`; names only if they differ from those in the certificate. Source: k8s.io/component-base cli/flag/namedcertkey_flag.go */
function sniValue({ certFile, keyFile, names }: NamedCertificate): string {
  const pair = `${certFile},${keyFile}`;
  return names === undefined ? pair : `${pair}:${names.join(',')}`;
}

export const upstreamApiserver: ApiserverDialect = {
  pod: (inputs, config) =>
    withGracePeriod(
      upstreamPod({
        component: 'kube-apiserver',
        containers: [kubernetesContainer(inputs, config)],
        volumes,
      }),
    ),
  arguments: kubernetesArguments,
  authentication: authenticationConfiguration,
  files: upstreamFiles,
  publicKeys: eachFile,
  observation: {
    admission: upstreamAdmission,
    // etcd listens on a single loopback address, and `localhost` may resolve to the other one.
    etcdServers: (_store, inputs) => [`https://${etcdHosts(inputs).loopback}:2379`],
    issuerUrl: () => defaultIssuer,
    namedCertificates: [
      { ...localhostCertificate, names: ['localhost', '127.0.0.1', '::1'] },
      ...servingCertificates,
    ],
  },
  auditRules: () => upstreamRules,
  encryptedResources: ['secrets'],
  companions: () => [],
  // Without operators nothing renews their certificates.
  hasNodeKubeconfigs: false,
  staticObjects: () => kubernetesObjects,
  revision: apiserverRevision({ configMaps: [], secrets: [], certConfigMaps: [], certSecrets: [] }),
};

/** Upstream's kube-apiserver accepts files only, not folders. */
function eachFile(name: string, store: Store): readonly string[] {
  const { namespace } = componentNames['kube-apiserver'];
  const files = Object.keys(store.get(configMaps, namespace, name)?.data ?? {});
  return files.toSorted(byCodeUnit).map((file) => revisionedConfigMap(name, file));
}

/**
 * Differences from upstream's defaults. None concerns scale, since the cluster has one node. The audit log is limited to
 * 600 MiB (the current file and five older ones) and to one month.
 */
function kubernetesArguments(inputs: LoopInputs): FlagValues {
  return {
    ...anonymousArguments(inputs),
    'audit-log-maxage': ['30'],
    'audit-log-maxbackup': ['5'],
    'audit-log-maxsize': ['100'],
    'authorization-mode': ['Node,RBAC'],
    'enable-admission-plugins': [kubernetesPlugins.join(',')],
    profiling: ['false'],
    // Only kube-apiserver's proxy client may assert the identity of users to aggregated API servers.
    'requestheader-allowed-names': [namings.Kubernetes.proxyClient],
  };
}

/** Advertises the address that the kubelet reports for the node. */
function kubernetesContainer(inputs: LoopInputs, config: ApiserverConfig): Container {
  const host = loopbackAddress(inputs.networks.family);
  const flags = { 'advertise-address': ['$(HOST_IP)'], v: ['2'], ...upstreamFlags(config) };
  return {
    ...mainContainer,
    image: inputs.images['kube-apiserver'],
    command: ['kube-apiserver'],
    args: flagArguments(flags),
    env: [fieldVariable('HOST_IP', 'status.hostIP')],
    securityContext: { readOnlyRootFilesystem: true },
    ...(allowsAnonymousHealth(config) ? probesAt(host) : connectionsTo(host)),
  };
}

/** True if kube-apiserver answers health requests without credentials. */
function allowsAnonymousHealth({ authentication, arguments: given }: ApiserverConfig): boolean {
  return authentication !== undefined || given['anonymous-auth']?.at(-1) === 'true';
}

/** TCP probes, for servers whose health endpoints require credentials, which the kubelet's probes cannot send. */
function connectionsTo(host: string): Probes {
  const tcpSocket = { host, port: 6443 };
  const times = { initialDelaySeconds: 0, timeoutSeconds: 10 };
  return {
    startupProbe: { tcpSocket, ...times, periodSeconds: 5, failureThreshold: 30 },
    readinessProbe: { tcpSocket, ...times, periodSeconds: 5, failureThreshold: 3 },
    livenessProbe: { tcpSocket, ...times, periodSeconds: 10, failureThreshold: 3 },
  };
}
