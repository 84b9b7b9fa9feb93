import { componentNames, managedConfigNamespace as managed } from '../../kube/components.js';
import type { Secret } from '../../kube/core-objects.js';
import { secrets } from '../loops/kinds.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { ComponentLoops, Loop } from '../loops/loop.js';
import { type SyncRule, combinedBundle, resourceSync } from '../loops/resource-sync.js';
import { certRotation } from '../loops/rotation.js';
import { staticResources } from '../loops/static-resources.js';
import type { Store } from '../loops/store.js';
import { targetConfigLoop } from '../loops/target-config-loop.js';
import { type LoopbackClient, loopbackAccess } from '../shared/loopback-access.js';
import { withProxy } from '../shared/proxy-environment.js';
import { podConfigMap } from '../shared/static-pod.js';
import { observedServing } from '../shared/tls-profile.js';
import { controllerManagerConfig } from './config.js';
import type { ControllerManagerDialect } from './dialect.js';
import {
  type ControllerManagerOperator,
  type ObservedConfig,
  controllerManagerOperators,
} from './operator-config.js';
import { serviceAccountKey } from './service-account-key.js';

const { namespace, operatorNamespace } = componentNames['kube-controller-manager'];

/**
 * The target config loop: configuration, kubeconfig, static pod, the CSR signer and its CA bundles.
 * Source: cluster-kube-controller-manager-operator pkg/operator/targetconfigcontroller
 */
export function targetConfig(dialect: ControllerManagerDialect): Loop {
  return targetConfigLoop('kube-controller-manager', (store, inputs) => {
    const config = controllerManagerConfig(dialect, inputs, store);
    return [
      ...(config === undefined ? [] : dialect.files(config, inputs)),
      config && podConfigMap('kube-controller-manager', withProxy(dialect.pod(inputs, config), store)),
      ...dialect.companions(inputs, store),
      combinedBundle(store, { namespace: operatorNamespace, name: 'csr-controller-ca' }, [
        { namespace: operatorNamespace, name: 'csr-signer-ca' },
        { namespace: operatorNamespace, name: 'csr-controller-signer-ca' },
      ]),
      promotedSigner(store),
      ...loopbackAccess(store, access),
    ];
  });
}

const access: LoopbackClient = {
  component: 'kube-controller-manager',
  kubeconfig: 'controller-manager-kubeconfig',
  clientPair: 'kube-controller-manager-client-cert-key',
};

/** The CSR signer without its issuer's certificate: the controller accepts a single certificate, not a chain. */
function promotedSigner(store: Store): Secret | undefined {
  const signer = store.get(secrets, operatorNamespace, 'csr-signer');
  if (signer === undefined) return undefined;
  const chain = Buffer.from(signer.data['tls.crt'] ?? '', 'base64').toString();
  const certificate = chain.slice(0, chain.indexOf(endOfCertificate) + endOfCertificate.length);
  const { annotations } = signer.metadata;
  return {
    ...signer,
    metadata: { namespace, name: 'csr-signer', ...(annotations && { annotations }) },
    data: { ...signer.data, 'tls.crt': Buffer.from(certificate).toString('base64') },
  };
}

const endOfCertificate = '-----END CERTIFICATE-----\n';

/** Source: cluster-kube-controller-manager-operator pkg/operator/resourcesynccontroller */
const syncRules: readonly SyncRule[] = [
  {
    kind: 'ConfigMap',
    from: { namespace: operatorNamespace, name: 'csr-controller-ca' },
    to: { namespace: managed, name: 'csr-controller-ca' },
  },
  copied('Secret', 'kube-controller-manager-client-cert-key'),
  copied('ConfigMap', 'service-ca'),
  copied('ConfigMap', 'kube-apiserver-client-ca', 'client-ca'),
  copied('ConfigMap', 'kube-apiserver-aggregator-client-ca', 'aggregator-client-ca'),
];

/** The loops of kube-controller-manager's operator that affect files on the node. */
export function kubeControllerManagerLoops(dialect: ControllerManagerDialect): ComponentLoops {
  return {
    component: 'kube-controller-manager',
    first: [
      certRotation('kube-controller-manager'),
      serviceAccountKey,
      staticResources('kube-controller-manager', dialect.staticObjects),
    ],
    settling: [
      configObservation(dialect),
      targetConfig(dialect),
      resourceSync('kube-controller-manager', syncRules),
    ],
  };
}

function copied(kind: SyncRule['kind'], name: string, ours = name): SyncRule {
  return { kind, from: { namespace: managed, name }, to: { namespace, name: ours } };
}

/**
 * The config observation loop: writes the settings that follow from the cluster's networks and name to `KubeControllerManager/cluster`.
 * Source: cluster-kube-controller-manager-operator pkg/operator/configobservation
 */
export function configObservation(dialect: Pick<ControllerManagerDialect, 'observation'>): Loop {
  return {
    name: 'config observation',
    component: 'kube-controller-manager',
    run: (store, inputs) => {
      const operator = store.get(controllerManagerOperators, '', 'cluster') ?? untouchedOperator;
      const observedConfig = observe(dialect, store, inputs);
      return store.put({ ...operator, spec: { ...operator.spec, observedConfig } });
    },
  };
}

/** Initial state of the operator's resource. Source: manifests/0000_25_kube-controller-manager-operator_01_operator.cr.yaml */
const untouchedOperator: ControllerManagerOperator = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'KubeControllerManager',
  metadata: { name: 'cluster' },
  spec: { managementState: 'Managed', useMoreSecureServiceCA: true },
};

function observe(
  dialect: Pick<ControllerManagerDialect, 'observation'>,
  store: Store,
  inputs: LoopInputs,
): ObservedConfig {
  return {
    extendedArguments: {
      ...dialect.observation(inputs),
      'service-cluster-ip-range': [inputs.networks.serviceNetwork.join(',')],
    },
    servingInfo: observedServing(store),
  };
}
