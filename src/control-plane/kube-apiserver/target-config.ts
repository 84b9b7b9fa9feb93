import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames, managedConfigNamespace, userConfigNamespace } from '../../kube/components.js';
import { configMap, type ConfigMap } from '../../kube/core-objects.js';
import { configMaps } from '../../loops/kinds.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { Loop } from '../../loops/loop.js';
import { combinedBundle } from '../../loops/resource-sync.js';
import type { Store } from '../../loops/store.js';
import type { ObjectPlace } from '../../pki/signer-rotators.js';
import { withProxy } from '../shared/proxy-environment.js';
import { podConfigMap } from '../shared/static-pod.js';
import { apiserverConfig, openshiftConfig, upstreamFiles, type ApiserverConfig } from './config.js';
import { kubeApiserverPod } from './pod.js';

const { namespace, operatorNamespace } = componentNames['kube-apiserver'];

/**
 * The target config loop: configuration, static pod, and the bundles of whom kube-apiserver believes and of who believes
 * it. Source: cluster-kube-apiserver-operator pkg/operator/targetconfigcontroller
 */
export const targetConfig: Loop = {
  name: 'target config',
  component: 'kube-apiserver',
  run: (store, inputs) => {
    const config = apiserverConfig(inputs, store);
    const configured =
      config === undefined
        ? []
        : [
            configOf(config, inputs),
            podConfigMap('kube-apiserver', withProxy(kubeApiserverPod(inputs, config), store)),
          ];
    const bundles = [
      combinedBundle(store, { namespace, name: 'client-ca' }, clientAuthorities),
      combinedBundle(store, { namespace, name: 'kube-apiserver-server-ca' }, servingAuthorities),
    ].filter((bundle) => bundle !== undefined);
    return [...configured, ...bundles, ...trustedBundle(store, inputs)].reduce(
      (each, object) => each.put(object),
      store,
    );
  },
};

function configOf(config: ApiserverConfig, { profile }: ControlPlaneInputs): ConfigMap {
  const data =
    profile === 'OpenShift' ? { 'config.yaml': writeYaml(openshiftConfig(config)) } : upstreamFiles(config);
  return configMap({ namespace, name: 'config' }, data);
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

/** Filled by the network operator, as its label asks; a later revision reads it. */
function trustedBundle(store: Store, { profile }: ControlPlaneInputs): readonly ConfigMap[] {
  const place = { namespace, name: 'trusted-ca-bundle' };
  if (profile !== 'OpenShift' || store.get(configMaps, namespace, place.name) !== undefined) return [];
  return [configMap({ ...place, labels: { 'config.openshift.io/inject-trusted-cabundle': 'true' } }, {})];
}
