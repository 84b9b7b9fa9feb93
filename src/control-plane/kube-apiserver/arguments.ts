import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import { targetRotators } from '../../pki/rotators.js';
import type { FlagValues } from '../shared/flag-list.js';
import {
  renewableConfigMap,
  renewablePair,
  renewableSecret,
  revisionedConfigMap,
  revisionedPair,
} from '../shared/mounted-paths.js';
import { kubernetesPlugins, openShiftPlugins } from './admission.js';
import { anonymousArguments } from './anonymous.js';
import { logFolder } from './log-folder.js';

/** What kube-apiserver is told before anything is observed, by flag. */
export function defaultArguments(inputs: ControlPlaneInputs): FlagValues {
  const ofProfile = inputs.profile === 'OpenShift' ? openShiftArguments : kubernetesArguments(inputs);
  return { ...commonArguments, ...clientArguments, ...ofProfile };
}

const defaultCertificate = renewablePair('service-network-serving-certkey');

/** Source: cluster-kube-apiserver-operator bindata/assets/config/defaultconfig.yaml, config-overrides.yaml */
const commonArguments: FlagValues = {
  // Containers of the control plane and of networks are privileged.
  'allow-privileged': ['true'],
  'audit-log-format': ['json'],
  'audit-log-path': [`${logFolder}/audit.log`],
  'audit-policy-file': [revisionedConfigMap('kube-apiserver-audit-policies', 'policy.yaml')],
  'client-ca-file': [renewableConfigMap('client-ca')],
  'enable-aggregator-routing': ['true'],
  'endpoint-reconciler-type': ['lease'],
  'etcd-healthcheck-timeout': ['9s'],
  'etcd-readycheck-timeout': ['9s'],
  'kubelet-preferred-address-types': ['InternalIP'],
  'requestheader-client-ca-file': [renewableConfigMap('aggregator-client-ca')],
  'requestheader-extra-headers-prefix': ['X-Remote-Extra-'],
  'requestheader-group-headers': ['X-Remote-Group'],
  'requestheader-username-headers': ['X-Remote-User'],
  'service-account-signing-key-file': [
    renewableSecret('bound-service-account-signing-key', 'service-account.key'),
  ],
  'shutdown-send-retry-after': ['true'],
  'tls-cert-file': [defaultCertificate.certFile],
  'tls-private-key-file': [defaultCertificate.keyFile],
};

const etcdClient = revisionedPair('etcd-client');
const kubeletClient = renewablePair('kubelet-client');
const aggregatorClient = renewablePair('aggregator-client');

/** Whom kube-apiserver itself calls, and as whom: etcd, the kubelet, aggregated servers. */
const clientArguments: FlagValues = {
  'etcd-cafile': [revisionedConfigMap('etcd-serving-ca')],
  'etcd-certfile': [etcdClient.certFile],
  'etcd-keyfile': [etcdClient.keyFile],
  'kubelet-certificate-authority': [revisionedConfigMap('kubelet-serving-ca')],
  'kubelet-client-certificate': [kubeletClient.certFile],
  'kubelet-client-key': [kubeletClient.keyFile],
  'proxy-client-cert-file': [aggregatorClient.certFile],
  'proxy-client-key-file': [aggregatorClient.keyFile],
};

/** Source: as for the common ones; the order of the authorization modes counts (configobservation/node/observe_authorization_mode.go). */
const openShiftArguments: FlagValues = {
  // The kubelet's probes bring no certificate; RBAC lets the unknown see health and version alone.
  'anonymous-auth': ['true'],
  'audit-log-maxbackup': ['10'],
  'audit-log-maxsize': ['200'],
  'authorization-mode': ['Scope', 'SystemMasters', 'RBAC', 'Node'],
  'enable-admission-plugins': openShiftPlugins,
  'enable-logs-handler': ['false'],
  'etcd-prefix': ['kubernetes.io'],
  'event-ttl': ['3h'],
  'http2-max-streams-per-connection': ['2000'],
  'kubelet-read-only-port': ['0'],
  'kubernetes-service-node-port': ['0'],
  'max-mutating-requests-inflight': ['1000'],
  'max-requests-inflight': ['3000'],
  'min-request-timeout': ['3600'],
  'requestheader-allowed-names': [
    'kube-apiserver-proxy',
    'system:kube-apiserver-proxy',
    'system:openshift-aggregator',
  ],
  'service-account-lookup': ['true'],
  'service-node-port-range': ['30000-32767'],
  'storage-backend': ['etcd3'],
  'storage-media-type': ['application/vnd.kubernetes.protobuf'],
  'strict-transport-security-directives': ['max-age=31536000,includeSubDomains,preload'],
};

/**
 * What differs from upstream's own defaults: nothing of it is about scale, since one node is served. The audit log takes
 * 600 MiB at most, the file written to and five before it, and goes no further back than a month.
 */
function kubernetesArguments(inputs: ControlPlaneInputs): FlagValues {
  return {
    ...anonymousArguments(inputs),
    'audit-log-maxage': ['30'],
    'audit-log-maxbackup': ['5'],
    'audit-log-maxsize': ['100'],
    'authorization-mode': ['Node,RBAC'],
    'enable-admission-plugins': [kubernetesPlugins.join(',')],
    profiling: ['false'],
    'requestheader-allowed-names': [proxyClientName(inputs)],
  };
}

/** Whoever may speak for a user to aggregated servers: kube-apiserver's own proxy client and nobody else. */
function proxyClientName(inputs: ControlPlaneInputs): string {
  const { subject } = targetRotators['aggregator-client'];
  return (typeof subject === 'function' ? subject(inputs) : subject).commonName;
}
