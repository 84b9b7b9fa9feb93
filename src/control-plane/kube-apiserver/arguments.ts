import type { LoopInputs } from '../loops/loop-inputs.js';
import type { FlagValues } from '../shared/flag-list.js';
import {
  renewableConfigMap,
  renewablePair,
  renewableSecret,
  revisionedConfigMap,
  revisionedPair,
} from '../shared/mounted-paths.js';
import type { ApiserverDialect } from './dialect.js';
import { logFolder } from './log-folder.js';

/** kube-apiserver's arguments before config observation, by flag. */
export function defaultArguments(
  dialect: Pick<ApiserverDialect, 'arguments'>,
  inputs: LoopInputs,
): FlagValues {
  return { ...commonArguments, ...clientArguments, ...dialect.arguments(inputs) };
}

const defaultCertificate = renewablePair('service-network-serving-certkey');

/** Source: cluster-kube-apiserver-operator bindata/assets/config/defaultconfig.yaml, config-overrides.yaml */
const commonArguments: FlagValues = {
  // Pods of the control plane and of network plugins are privileged.
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

/** Addresses and client certificates for the servers that kube-apiserver calls: etcd, the kubelet, aggregated API servers. */
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
