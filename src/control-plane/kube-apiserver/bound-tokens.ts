import { componentNames } from '../../kube/components.js';
import { configMap, secret, type ConfigMap, type Secret } from '../../kube/core-objects.js';
import { configMaps, secrets } from '../../loops/kinds.js';
import type { Loop } from '../../loops/loop.js';
import type { Store } from '../../loops/store.js';

const { namespace, operatorNamespace } = componentNames['kube-apiserver'];
const privateKey = 'service-account.key';
const publicKey = 'service-account.pub';

/**
 * The loop of the key that signs bound service-account tokens: the next key, of which the public half is laid where
 * kube-apiserver verifies, and which then becomes the one that signs. Nobody verifies yet, so all of it happens at once.
 * Source: cluster-kube-apiserver-operator pkg/operator/boundsatokensignercontroller
 */
export const boundTokens: Loop = {
  name: 'bound service-account tokens',
  component: 'kube-apiserver',
  run: (store, { serviceAccountKeys }) => {
    const { keyPem, publicKeyPem } = serviceAccountKeys.bound;
    const place = { namespace: operatorNamespace, name: 'next-bound-service-account-signing-key' };
    const next =
      store.get(secrets, place.namespace, place.name) ??
      secret(place, 'Opaque', { [privateKey]: keyPem, [publicKey]: publicKeyPem });
    return withSigningKey(store.put(next).put(withPublicKey(store, next)), next);
  },
};

/** A public key that once was there stays, so that the tokens it verifies do. */
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
