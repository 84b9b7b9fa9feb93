import { componentNames, managedConfigNamespace, userConfigNamespace } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { Loop } from '../../loops/loop.js';
import { combinedBundle } from '../../loops/resource-sync.js';
import { targetConfigLoop } from '../../loops/target-config-loop.js';
import type { ObjectPlace } from '../../pki/signer-rotators.js';
import { withProxy } from '../shared/proxy-environment.js';
import { podConfigMap } from '../shared/static-pod.js';
import { apiserverConfig } from './config.js';
import type { ApiserverDialect } from './dialect.js';

const { namespace, operatorNamespace } = componentNames['kube-apiserver'];

/**
 * The target config loop: configuration, static pod, and the bundles of whom kube-apiserver believes and of who believes
 * it. Source: cluster-kube-apiserver-operator pkg/operator/targetconfigcontroller
 */
export function targetConfig(dialect: ApiserverDialect): Loop {
  return targetConfigLoop('kube-apiserver', (store, inputs) => {
    const config = apiserverConfig(dialect, inputs, store);
    return [
      config && configMap({ namespace, name: 'config' }, dialect.files(config)),
      config && podConfigMap('kube-apiserver', withProxy(dialect.pod(inputs, config), store)),
      combinedBundle(store, { namespace, name: 'client-ca' }, clientAuthorities),
      combinedBundle(store, { namespace, name: 'kube-apiserver-server-ca' }, servingAuthorities),
      ...dialect.companions(store),
    ];
  });
}

/** Whoever signs for clients: administrators, kubelets that join and that have joined, the control plane itself. */
const clientAuthorities: readonly ObjectPlace[] = [
  { namespace: userConfigNamespace, name: 'admin-kubeconfig-client-ca' },
  { namespace: managedConfigNamespace, name: 'csr-controller-ca' },
  { namespace: operatorNamespace, name: 'kube-apiserver-to-kubelet-client-ca' },
  { namespace: operatorNamespace, name: 'kube-control-plane-signer-ca' },
  { namespace, name: 'user-client-ca' },
  { namespace: managedConfigNamespace, name: 'kubelet-bootstrap-kubeconfig' },
  { namespace: operatorNamespace, name: 'node-system-admin-ca' },
];

const servingAuthorities: readonly ObjectPlace[] = [
  { namespace: operatorNamespace, name: 'loadbalancer-serving-ca' },
  { namespace: operatorNamespace, name: 'localhost-serving-ca' },
  { namespace: operatorNamespace, name: 'service-network-serving-ca' },
  { namespace: operatorNamespace, name: 'localhost-recovery-serving-ca' },
];
