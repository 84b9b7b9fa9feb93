import { expect, it } from 'vitest';

import { problemsWith, textsOf } from '../../assets/manifests/generate.js';
import { edited } from '../../config/sound-config.js';
import { installConfigText } from '../../assets/manifests/generate.js';

const external = (fields: string, manifests: Readonly<Record<string, string>> = {}) => ({
  files: {
    'install-config.yaml': edited(installConfigText(), [['  none: {}', `  external: { ${fields} }`]]),
    ...manifests,
  },
});

const pod = (toleration: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: manager, namespace: kube-system }
spec:
  selector: { matchLabels: { app: manager } }
  template:
    metadata: { labels: { app: manager } }
    spec:
      hostNetwork: true
      containers: [{ name: manager, image: registry.example.com/manager:1 }]
      tolerations: [${toleration}]
`;
const warning =
  'warning[manifest/no-cloud-controller] install-config.yaml:12:58 (platform.external.cloudControllerManager): platform external waits for a cloud controller manager, and no manifest has pods that tolerate the taint of the new node';

it.each([
  ['no manifest', {}, [warning]],
  ['pods without the toleration', { 'manifests/a.yaml': pod('{ key: a, operator: Exists }') }, [warning]],
  [
    'a manager',
    {
      'manifests/a.yaml': pod(
        '{ key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule }',
      ),
    },
    [],
  ],
  ['pods that tolerate all taints', { 'manifests/a.yaml': pod('{ operator: Exists }') }, []],
])('cloudControllerManager External with %s', async (_name, manifests, want) => {
  const found = await problemsWith(
    external('platformName: oci, cloudControllerManager: External', manifests),
  );
  expect(found.filter((each) => each.includes('cloud-controller'))).toEqual(want);
});

it('has no problem without a manager', async () => {
  expect(await problemsWith(external('platformName: oci'))).toEqual([]);
});

it.each([
  ['platformName: oci, cloudControllerManager: External', 'oci', 'External'],
  ['platformName: oci', 'oci', 'None'],
  ['', 'Unknown', 'None'],
])('becomes the platform of the cluster: %s', async (fields, name, state) => {
  const texts = await textsOf(external(fields));
  const infrastructure = texts['manifests/cluster-infrastructure-02-config.yml'];
  expect(infrastructure).toContain(`  platformSpec:
    external:
      platformName: ${name}
    type: External
`);
  expect(infrastructure).toContain(`  platform: External
  platformStatus:
    external:
      cloudControllerManager:
        state: ${state}
    type: External
`);
  expect(texts['manifests/cluster-ingress-02-config.yml']).toContain('defaultPlacement: Workers\n');
  const setting = state === 'None' ? '""' : state;
  expect(texts['manifests/cluster-config.yaml']).toContain(
    `    platform:\n      external:\n        cloudControllerManager: ${setting}\n        platformName: ${name}\n`,
  );
});
