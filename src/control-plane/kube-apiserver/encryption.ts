import { rfc3339 } from '../../core/rfc3339.js';
import { componentNames, managedConfigNamespace } from '../../kube/components.js';
import { secret, type Secret } from '../../kube/core-objects.js';
import { secrets } from '../loops/kinds.js';
import type { EncryptionKey } from '../loops/loop-inputs.js';
import type { Loop } from '../loops/loop.js';
import type { ApiserverDialect } from './dialect.js';

const component = componentNames['kube-apiserver'].namespace;
const prefix = 'encryption.apiserver.operator.openshift.io';

/** The only key; short, because it is part of the prefix of every value in etcd. */
const keyId = '1';

/** Name of the configuration Secret before resource sync copies it to kube-apiserver's namespace. */
export const encryptionConfigName = `encryption-config-${component}`;

/**
 * The encryption loop; it acts only if there is a key. etcd is still empty, so the key encrypts from the first object on. The key's
 * Secret records every resource as migrated, which leaves nothing to do for an operator.
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

/** Read only by operators through the API; kube-apiserver reads the configuration. */
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
    // The raw key: the input is base64, as the data of a Secret is.
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
 * The key provider is first, because the first provider encrypts; `identity` reads unencrypted values. As in the operators,
 * there is one resource per entry and the format is JSON. Source: kubernetes.io/docs/reference/config-api/apiserver-config.v1
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
