import { X509Certificate } from 'node:crypto';

import type { Kubectl } from './kubectl.js';
import { requiredObjects } from './revisions.js';
import { reasonToReissue } from './rotation.js';
import { rotatorsOf, type Rotator } from './rotators.js';

/**
 * Faults that the operators of a release find in the installer's rendered objects. Each one causes an additional revision.
 * Undefined while the cluster does not answer.
 */
export async function findings(
  kubectl: Kubectl,
  minor: number,
  now: Date,
): Promise<readonly string[] | undefined> {
  const store = await readStore(kubectl);
  if (store === undefined) return undefined;
  return [
    ...missingOf(store, minor),
    ...rotatorsOf(minor).flatMap((each) => reissueOf(store, each, now)),
  ].sort();
}

/** The ConfigMaps and Secrets of the cluster, by `configmaps/NAMESPACE/NAME` and `secrets/NAMESPACE/NAME`. */
type Store = ReadonlyMap<string, StoredObject>;

interface StoredObject {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

async function readStore(kubectl: Kubectl): Promise<Store | undefined> {
  const store = new Map<string, StoredObject>();
  for (const kind of ['configmaps', 'secrets']) {
    const { code, stdout } = await kubectl(['get', kind, '--all-namespaces', '--output=json']);
    if (code !== 0) return undefined;
    const { items } = JSON.parse(stdout) as { readonly items: readonly StoredObject[] };
    for (const item of items) store.set(`${kind}/${item.metadata.namespace}/${item.metadata.name}`, item);
  }
  return store;
}

function missingOf(store: Store, minor: number): readonly string[] {
  return Object.entries(requiredObjects(minor))
    .flatMap(([namespace, { configMaps, secrets }]) => [
      ...configMaps.map((name) => `configmaps/${namespace}/${name}-1`),
      ...secrets.map((name) => `secrets/${namespace}/${name}-1`),
    ])
    .filter((key) => !store.has(key))
    .map((key) => `revision 1 lacks ${key}`);
}

function reissueOf(store: Store, rotator: Rotator, now: Date): readonly string[] {
  const key = `secrets/${rotator.namespace}/${rotator.name}`;
  const secret = store.get(key);
  if (secret === undefined) return [`${key} is made anew: it does not exist`];
  const { bundle, hostnames } = rotator;
  const reason = reasonToReissue(
    {
      annotations: secret.metadata.annotations ?? {},
      ...(bundle && { issuers: issuersIn(store.get(`configmaps/${bundle.namespace}/${bundle.name}`)) }),
      ...(hostnames && { hostnames }),
    },
    now,
  );
  return reason === undefined ? [] : [`${key} is made anew: ${reason}`];
}

/** The common names of the CA certificates in a bundle. */
function issuersIn(bundle: StoredObject | undefined): readonly string[] {
  const pems =
    bundle?.data?.['ca-bundle.crt']?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ??
    [];
  return pems.map((pem) => /^CN=(.*)$/m.exec(new X509Certificate(pem).subject)?.[1] ?? '');
}
