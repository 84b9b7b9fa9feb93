import type { Component } from '../../kube/components.js';
import { configMap, type ConfigMap, type Secret } from '../../kube/core-objects.js';
import type { ObjectPlace } from '../../pki/signer-rotators.js';
import { configMaps, secrets } from './kinds.js';
import type { Loop } from './loop.js';
import type { Store } from './store.js';

/** A copy maintained by the resource sync loop; skipped while the source does not exist. */
export interface SyncRule {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly from: ObjectPlace;
  readonly to: ObjectPlace;
}

/** The resource sync loop of a component. Source: openshift/library-go pkg/operator/resourcesynccontroller */
export function resourceSync(component: Component, rules: readonly SyncRule[]): Loop {
  return {
    name: 'resource sync',
    component,
    run: (store) => rules.reduce((each, rule) => synced(each, rule), store),
  };
}

/** A ConfigMap with one bundle of all certificates in the sources, without duplicates; missing sources are skipped. */
export function combinedBundle(
  store: Store,
  to: ObjectPlace,
  from: readonly ObjectPlace[],
): ConfigMap | undefined {
  const texts = from.map(
    ({ namespace, name }) => store.get(configMaps, namespace, name)?.data['ca-bundle.crt'],
  );
  const certificates = texts.flatMap((text) => text?.match(certificatePattern) ?? []);
  if (certificates.length === 0) return undefined;
  const text = [...new Set(certificates)].map((each) => `${each}\n`).join('');
  return configMap({ ...to }, { 'ca-bundle.crt': text });
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function synced(store: Store, { kind, from, to }: SyncRule): Store {
  const source =
    kind === 'ConfigMap'
      ? store.get(configMaps, from.namespace, from.name)
      : store.get(secrets, from.namespace, from.name);
  return source === undefined ? store : store.put(copyOf(source, to));
}

/** Copies the source's annotations and labels too, as the operators do. */
function copyOf(source: ConfigMap | Secret, { namespace, name }: ObjectPlace): ConfigMap | Secret {
  return { ...source, metadata: { ...source.metadata, namespace, name } };
}
