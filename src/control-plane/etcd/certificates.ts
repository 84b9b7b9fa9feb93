import { componentNames } from '../../kube/components.js';
import { configMap, secret, type Secret } from '../../kube/core-objects.js';
import { configMaps, secrets } from '../loops/kinds.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { Loop } from '../loops/loop.js';
import { certRotation, rotatorSecret } from '../loops/rotation.js';
import type { Store } from '../loops/store.js';
import { targetRotators, type TargetRotatorName } from '../../pki/rotators.js';
import type { EtcdDialect } from './dialect.js';

/** Rotators of etcd's leaf certificates whose Secret names contain the node name, in the order of the combined Secret. */
export type NodeRotatorName = Extract<
  TargetRotatorName,
  'etcd-peer' | 'etcd-serving' | 'etcd-serving-metrics'
>;

/**
 * etcd's cert rotation. It also combines all pairs into one Secret and all CA bundles into one ConfigMap, so that one
 * certificate change causes one revision of the pod. Pairs that the node issues itself are not in the Secret.
 * Source: cluster-etcd-operator pkg/operator/etcdcertsigner
 */
export function etcdCertRotation(dialect: MetricsOf): Loop {
  const rotation = certRotation('etcd');
  return {
    ...rotation,
    run: (store, inputs) => withBundles(dialect, withPairs(dialect, rotation.run(store, inputs), inputs)),
  };
}

type MetricsOf = Pick<EtcdDialect, 'servesMetricsApart'>;

export function nodeRotatorNames({ servesMetricsApart }: MetricsOf): readonly NodeRotatorName[] {
  const always = ['etcd-peer', 'etcd-serving'] as const;
  return servesMetricsApart ? [...always, 'etcd-serving-metrics'] : always;
}

/** The Secret that combines all pairs etcd reads. */
export const allCertsName = 'etcd-all-certs';

/** The ConfigMap that combines the CA bundles etcd trusts. */
export const allBundlesName = 'etcd-all-bundles';

const { namespace } = componentNames.etcd;
const owned = { 'openshift.io/owning-component': 'Etcd' };

function withPairs(dialect: MetricsOf, store: Store, inputs: LoopInputs): Store {
  const texts = nodeRotatorNames(dialect).flatMap((rotator) => {
    const place = rotatorSecret(targetRotators[rotator], inputs);
    const pair = store.get(secrets, place.namespace, place.name);
    return pair === undefined ? [] : pairTexts(place.name, pair);
  });
  return store.put(
    secret({ namespace, name: allCertsName, annotations: owned }, 'Opaque', Object.fromEntries(texts)),
  );
}

function pairTexts(name: string, { data }: Secret): readonly (readonly [string, string])[] {
  return (['crt', 'key'] as const).map((part) => [
    `${name}.${part}`,
    Buffer.from(data[`tls.${part}`] ?? '', 'base64').toString(),
  ]);
}

/** The annotation states that no revision was rolled out for the bundle; the operator may then renew leaves immediately. */
function withBundles({ servesMetricsApart }: MetricsOf, store: Store): Store {
  const server = store.get(configMaps, namespace, 'etcd-ca-bundle')?.data['ca-bundle.crt'];
  const metrics = store.get(configMaps, namespace, 'etcd-metrics-ca-bundle')?.data['ca-bundle.crt'];
  if (server === undefined) return store;
  const annotations = { ...owned, 'openshift.io/ceo-bundle-rollout-revision': '0' };
  const ofMetrics = servesMetricsApart && metrics !== undefined && { 'metrics-ca-bundle.crt': metrics };
  return store.put(
    configMap(
      { namespace, name: allBundlesName, annotations },
      { ...ofMetrics, 'server-ca-bundle.crt': server },
    ),
  );
}
