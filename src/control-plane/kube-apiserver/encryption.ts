import { rfc3339 } from '../../core/rfc3339.js';
import { componentNames, managedConfigNamespace } from '../../kube/components.js';
import { secret, type Secret } from '../../kube/core-objects.js';
import { secrets } from '../loops/kinds.js';
import type { EncryptionKey } from '../loops/loop-inputs.js';
import type { Loop } from '../loops/loop.js';
import type { ApiserverDialect } from './dialect.js';

const component = componentNames['kube-apiserver'].namespace;
const prefix = 'encryption.apiserver.operator.openshift.io';

/** The one key there is, short because it stands before every value in etcd. */
const keyId = '1';

/** Where the configuration waits to be synced to kube-apiserver's namespace. */
export const encryptionConfigName = `encryption-config-${component}`;

/**
 * The encryption loop, where a key is given: etcd is empty yet, so the key writes from the first object on, and the
 * Secret that keeps it says that everything is migrated. An operator finds nothing left to do.
 * Source: openshift/library-go pkg/operator/encryption
 */
export function encryption({ encryptedResources }: Encrypting): Loop {
  return {
    name: 'encryption',
    component: 'kube-apiserver',
    run: (store, inputs) => {
      const { encryption: key } = inputs;
      if (key === undefined) return store;
      const wanted = [keySecret(key, encryptedResources, inputs.now), configSecret(key, encryptedResources)];
      return wanted
        .filter(({ metadata }) => store.get(secrets, managedConfigNamespace, metadata.name) === undefined)
        .reduce((each, object) => each.create(object), store);
    },
  };
}

type Encrypting = Pick<ApiserverDialect, 'encryptedResources'>;

/** Kept in etcd and read by operators alone; kube-apiserver reads the configuration. */
function keySecret({ provider, key }: EncryptionKey, encrypted: readonly string[], now: Date): Secret {
  const resources = encrypted.map((Resource) => ({ Group: '', Resource }));
  return {
    ...secret(
      {
        namespace: managedConfigNamespace,
        name: `encryption-key-${component}-${keyId}`,
        labels: { [`${prefix}/component`]: component },
        annotations: {
          ...warning,
          [`${prefix}/external-reason`]: '',
          [`${prefix}/internal-reason`]: 'installation',
          [`${prefix}/migrated-resources`]: JSON.stringify({ resources }),
          [`${prefix}/migrated-timestamp`]: rfc3339(now),
          [`${prefix}/mode`]: provider,
        },
        finalizers: [deletionProtection],
      },
      'Opaque',
      {},
    ),
    // The key's bytes, which the input has in base64 as a Secret does.
    data: { [`${prefix}-key`]: key },
  };
}

function configSecret(key: EncryptionKey, encrypted: readonly string[]): Secret {
  const metadata = {
    namespace: managedConfigNamespace,
    name: encryptionConfigName,
    annotations: warning,
    finalizers: [deletionProtection],
  };
  return secret(metadata, 'Opaque', { 'encryption-config': encryptionConfiguration(key, encrypted) });
}

/**
 * The key first, since the first provider writes; identity after it reads what is not encrypted. Operators read one
 * resource an entry, and write JSON. Source: kubernetes.io/docs/reference/config-api/apiserver-config.v1
 */
function encryptionConfiguration({ provider, key }: EncryptionKey, encrypted: readonly string[]): string {
  const providers = [{ [provider]: { keys: [{ name: keyId, secret: key }] } }, { identity: {} }];
  return JSON.stringify({
    kind: 'EncryptionConfiguration',
    apiVersion: 'apiserver.config.k8s.io/v1',
    resources: encrypted.map((resource) => ({ resources: [resource], providers })),
  });
}

const deletionProtection = `${prefix}/deletion-protection`;

const warning = {
  'kubernetes.io/description':
    'Do not edit or delete: what is encrypted in etcd cannot be read without this.',
};
