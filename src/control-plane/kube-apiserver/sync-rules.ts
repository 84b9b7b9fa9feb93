import {
  componentNames,
  managedConfigNamespace as managed,
  userConfigNamespace as user,
} from '../../kube/components.js';
import type { SyncRule } from '../loops/resource-sync.js';
import { encryptionConfigName } from './encryption.js';

const { namespace } = componentNames['kube-apiserver'];

/**
 * Copies to and from kube-apiserver's namespace.
 * Source: cluster-kube-apiserver-operator pkg/operator/resourcesynccontroller, and the encryption controllers
 */
export const kubeApiserverSyncRules: readonly SyncRule[] = [
  copied('ConfigMap', user, 'etcd-serving-ca'),
  copied('Secret', user, 'etcd-client'),
  copied('ConfigMap', managed, 'sa-token-signing-certs'),
  copied('ConfigMap', managed, 'kube-apiserver-aggregator-client-ca', 'aggregator-client-ca'),
  copied('ConfigMap', managed, 'csr-controller-ca', 'kubelet-serving-ca'),
  copied('Secret', managed, encryptionConfigName, 'encryption-config'),
  handed('client-ca', 'kube-apiserver-client-ca'),
  handed('kubelet-serving-ca'),
  handed('kube-apiserver-server-ca'),
  handed('bound-sa-token-signing-certs'),
];

function copied(kind: SyncRule['kind'], from: string, name: string, ours = name): SyncRule {
  return { kind, from: { namespace: from, name }, to: { namespace, name: ours } };
}

function handed(name: string, theirs = name): SyncRule {
  return { kind: 'ConfigMap', from: { namespace, name }, to: { namespace: managed, name: theirs } };
}
