import { expect, test } from 'vitest';

import { secrets } from '../../../src/control-plane/loops/kinds.js';
import { objectKey } from '../../../src/control-plane/loops/store.js';
import { controlPlaneInputs } from '../../support/control-plane.js';
import { apiserverFiles, settledApiserver } from '../../support/settled-apiserver.js';

const namespace = 'openshift-kube-apiserver';
const managed = 'openshift-config-managed';
const encryption = { provider: 'secretbox', key: Buffer.alloc(32, 3).toString('base64') } as const;

test.each([
  { profile: 'OpenShift', resources: ['configmaps', 'secrets'] },
  { profile: 'Kubernetes', resources: ['secrets'] },
] as const)(
  'encryption is in force from the first object on with the profile $profile',
  async ({ profile, resources }) => {
    const inputs = await controlPlaneInputs({ profile, encryption });
    const { store } = settledApiserver(inputs);
    const prefix = 'encryption.apiserver.operator.openshift.io';
    const keySecret = store.get(secrets, managed, `encryption-key-${namespace}-1`);
    expect(keySecret).toMatchObject({
      metadata: {
        labels: { [`${prefix}/component`]: namespace },
        annotations: {
          [`${prefix}/mode`]: 'secretbox',
          [`${prefix}/migrated-timestamp`]: '2026-01-02T03:04:05Z',
        },
        finalizers: [`${prefix}/deletion-protection`],
      },
      data: { [`${prefix}-key`]: encryption.key },
    });
    const migrated = keySecret?.metadata.annotations?.[`${prefix}/migrated-resources`] ?? '';
    expect(JSON.parse(migrated)).toEqual({
      resources: resources.map((Resource) => ({ Group: '', Resource })),
    });

    const file = apiserverFiles(inputs).get(
      '/etc/kubernetes/static-pod-resources/kube-apiserver-pod-1/secrets/encryption-config/encryption-config',
    );
    const providers = [{ secretbox: { keys: [{ name: '1', secret: encryption.key }] } }, { identity: {} }];
    expect(JSON.parse(file ?? '')).toEqual({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: resources.map((each) => ({ resources: [each], providers })),
    });
  },
);

test('encryption leaves no trace where no key is given', async () => {
  const inputs = await controlPlaneInputs({ profile: 'OpenShift' });
  const named = settledApiserver(inputs).store.objects().map(objectKey);
  expect(named.filter((key) => key.includes('encryption'))).toEqual([]);
  expect([...apiserverFiles(inputs).values()].join('\n')).not.toContain('encryption-provider-config');
});

test('encryption keeps a key that is there, whatever the clock', async () => {
  const inputs = await controlPlaneInputs({ profile: 'OpenShift', encryption });
  const { store } = settledApiserver(inputs);
  const later = { ...inputs, now: new Date('2026-02-02T00:00:00Z') };
  expect(settledApiserver(later, store.objects()).store.objects()).toEqual(store.objects());
});
