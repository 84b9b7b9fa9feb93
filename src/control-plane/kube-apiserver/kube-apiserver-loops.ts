import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames, managedConfigNamespace, userConfigNamespace } from '../../kube/components.js';
import { type ConfigMap, type Secret, configMap, secret } from '../../kube/core-objects.js';
import { configMaps, secrets } from '../loops/kinds.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { ComponentLoops, Loop } from '../loops/loop.js';
import { type SyncRule, combinedBundle, resourceSync } from '../loops/resource-sync.js';
import { certRotation } from '../loops/rotation.js';
import { staticResources } from '../loops/static-resources.js';
import type { Store } from '../loops/store.js';
import { targetConfigLoop } from '../loops/target-config-loop.js';
import type { ObjectPlace } from '../../pki/signer-rotators.js';
import { featureGateFlags } from '../shared/flag-list.js';
import { withProxy } from '../shared/proxy-environment.js';
import { podConfigMap } from '../shared/static-pod.js';
import { defaultArguments } from './arguments.js';
import { auditPolicy } from './audit-policy.js';
import type { ApiserverConfig } from './config-model.js';
import type { ApiserverDialect } from './dialect.js';
import { encryption, encryptionConfigName } from './encryption.js';
import { configObservation } from './observation.js';
import { kubeApiserverOperators } from './operator-config.js';

const { namespace, operatorNamespace } = componentNames['kube-apiserver'];

/**
 * The target config loop: configuration, static pod, and the CA bundles for kube-apiserver's clients and for its serving
 * certificates. Source: cluster-kube-apiserver-operator pkg/operator/targetconfigcontroller
 */
function targetConfig(dialect: ApiserverDialect): Loop {
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

/** CAs of client certificates: administrators, joining and joined kubelets, the control plane. */
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

/** ConfigMaps with the public keys for tokens signed by kube-controller-manager (first) and by kube-apiserver. */
const publicKeyConfigMaps = ['sa-token-signing-certs', 'bound-sa-token-signing-certs'] as const;

/** Defaults, overridden by observed settings, overridden by the user's arguments. Undefined before config observation has run. */
export function apiserverConfig(
  dialect: Pick<ApiserverDialect, 'arguments' | 'authentication' | 'publicKeys'>,
  inputs: LoopInputs,
  store: Store,
): ApiserverConfig | undefined {
  const observed = store.get(kubeApiserverOperators, '', 'cluster')?.spec.observedConfig;
  if (observed === undefined) return undefined;
  const authentication = dialect.authentication(inputs);
  return {
    arguments: {
      ...defaultArguments(dialect, inputs),
      ...observed.apiServerArguments,
      ...featureGateFlags(inputs),
      ...inputs.extraArguments['kube-apiserver'],
    },
    admission: observed.admission.pluginConfig,
    ...(authentication && { authentication }),
    serving: observed.servingInfo,
    ...(observed.openShift && { openShift: observed.openShift }),
    servicesSubnet: observed.servicesSubnet,
    serviceAccountPublicKeys: publicKeyConfigMaps.flatMap((name) => dialect.publicKeys(name, store)),
  };
}

/**
 * The node kubeconfigs loop: kubeconfigs for administrators on the node itself, with embedded certificates. Skipped without
 * operators, since nothing would renew the certificates.
 * Source: cluster-kube-apiserver-operator pkg/operator/nodekubeconfigcontroller
 */
function nodeKubeconfigs({ hasNodeKubeconfigs }: Pick<ApiserverDialect, 'hasNodeKubeconfigs'>): Loop {
  return {
    name: 'node kubeconfigs',
    component: 'kube-apiserver',
    run: (store, { apiServer }) => {
      const admin = store.get(secrets, operatorNamespace, 'node-system-admin-client');
      const ca = store.get(configMaps, namespace, 'kube-apiserver-server-ca')?.data['ca-bundle.crt'];
      if (!hasNodeKubeconfigs || admin === undefined || ca === undefined) return store;
      const files = Object.entries({
        localhost: { server: 'https://localhost:6443' },
        'localhost-recovery': { server: 'https://localhost:6443', 'tls-server-name': 'localhost-recovery' },
        'lb-ext': { server: `https://${apiServer.externalHost}:6443` },
        'lb-int': { server: `https://${apiServer.internalHost}:6443` },
      }).map(
        ([name, cluster]) =>
          [`${name}.kubeconfig`, kubeconfig(name, { cluster, ca, pair: admin.data })] as const,
      );
      return store.put(secret({ namespace, name: 'node-kubeconfigs' }, 'Opaque', Object.fromEntries(files)));
    },
  };
}

interface Access {
  readonly cluster: { readonly server: string; readonly 'tls-server-name'?: string };
  /** PEM. */
  readonly ca: string;
  /** Data of the Secret, base64. */
  readonly pair: Readonly<Record<string, string>>;
}

function kubeconfig(name: string, { cluster, ca, pair }: Access): string {
  const user = 'system:admin';
  const authorities = Buffer.from(ca).toString('base64');
  return writeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { ...cluster, 'certificate-authority-data': authorities } }],
    contexts: [{ name: user, context: { cluster: name, user } }],
    'current-context': user,
    users: [
      {
        name: user,
        user: { 'client-certificate-data': pair['tls.crt'], 'client-key-data': pair['tls.key'] },
      },
    ],
  });
}

/**
 * Copies to and from kube-apiserver's namespace.
 * Source: cluster-kube-apiserver-operator pkg/operator/resourcesynccontroller, and the encryption controllers
 */
const syncRules: readonly SyncRule[] = [
  copied('ConfigMap', userConfigNamespace, 'etcd-serving-ca'),
  copied('Secret', userConfigNamespace, 'etcd-client'),
  copied('ConfigMap', managedConfigNamespace, 'sa-token-signing-certs'),
  copied('ConfigMap', managedConfigNamespace, 'kube-apiserver-aggregator-client-ca', 'aggregator-client-ca'),
  copied('ConfigMap', managedConfigNamespace, 'csr-controller-ca', 'kubelet-serving-ca'),
  copied('Secret', managedConfigNamespace, encryptionConfigName, 'encryption-config'),
  handed('client-ca', 'kube-apiserver-client-ca'),
  handed('kubelet-serving-ca'),
  handed('kube-apiserver-server-ca'),
  handed('bound-sa-token-signing-certs'),
];

function copied(kind: SyncRule['kind'], from: string, name: string, ours = name): SyncRule {
  return { kind, from: { namespace: from, name }, to: { namespace, name: ours } };
}

function handed(name: string, theirs = name): SyncRule {
  return {
    kind: 'ConfigMap',
    from: { namespace, name },
    to: { namespace: managedConfigNamespace, name: theirs },
  };
}

/** Source: cluster-kube-apiserver-operator pkg/operator/starter.go */
export function kubeApiserverLoops(dialect: ApiserverDialect): ComponentLoops {
  return {
    component: 'kube-apiserver',
    first: [
      certRotation('kube-apiserver'),
      encryption(dialect),
      boundTokens,
      auditPolicy(dialect),
      staticResources('kube-apiserver', dialect.staticObjects),
    ],
    settling: [
      configObservation(dialect),
      targetConfig(dialect),
      resourceSync('kube-apiserver', syncRules),
      nodeKubeconfigs(dialect),
    ],
  };
}
const privateKey = 'service-account.key';
const publicKey = 'service-account.pub';

/**
 * The loop of the signing key for bound service-account tokens. The operator publishes the public half of the next key to
 * kube-apiserver first and promotes the key later. No token exists yet, so this loop does both at once.
 * Source: cluster-kube-apiserver-operator pkg/operator/boundsatokensignercontroller
 */
const boundTokens: Loop = {
  name: 'bound service-account tokens',
  component: 'kube-apiserver',
  run: (store, { serviceAccountKeys }) => {
    const { keyPem, publicKeyPem } = serviceAccountKeys.bound;
    const place = { namespace: operatorNamespace, name: 'next-bound-service-account-signing-key' };
    const next =
      store.get(secrets, place.namespace, place.name) ??
      secret(place, 'Opaque', { [privateKey]: keyPem.reveal(), [publicKey]: publicKeyPem });
    return withSigningKey(store.put(next).put(withPublicKey(store, next)), next);
  },
};

/** Keeps earlier public keys, so that the tokens they verify stay valid. */
function withPublicKey(store: Store, next: Secret): ConfigMap {
  const name = 'bound-sa-token-signing-certs';
  const present = store.get(configMaps, namespace, name) ?? configMap({ namespace, name }, {});
  const pem = Buffer.from(next.data[publicKey] ?? '', 'base64').toString();
  const known = Object.values(present.data);
  if (known.includes(pem)) return present;
  const key = `service-account-${String(known.length + 1).padStart(3, '0')}.pub`;
  return { ...present, data: { ...present.data, [key]: pem } };
}

function withSigningKey(store: Store, next: Secret): Store {
  const name = 'bound-service-account-signing-key';
  if (store.get(secrets, namespace, name) !== undefined) return store;
  return store.create({ ...next, metadata: { namespace, name } });
}
