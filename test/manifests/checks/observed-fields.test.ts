import { expect, test } from 'vitest';

import { renderControlPlane } from '../../../src/control-plane/render-control-plane.js';
import type { Manifest } from '../../../src/kube/manifest.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { observedFields } from '../../../src/manifests/checks/observed-fields.js';
import { unobservedFieldProblems } from '../../../src/manifests/checks/unobserved-fields.js';
import { readObjects, userManifest } from '../../../src/manifests/edits/documents.js';
import { controlPlaneInputs } from '../../support/control-plane.js';

/** For each row with several rendered values: a value other than the initial one. */
const others: Readonly<Record<string, unknown>> = {
  'APIServer.config.openshift.io spec.additionalCORSAllowedOrigins': ['//example[.]com'],
  'APIServer.config.openshift.io spec.audit.profile': 'AllRequestBodies',
  'APIServer.config.openshift.io spec.audit.customRules': [
    { group: 'system:authenticated:oauth', profile: 'WriteRequestBodies' },
  ],
  'APIServer.config.openshift.io spec.tlsSecurityProfile': { type: 'Modern', modern: {} },
  'Authentication.config.openshift.io spec.serviceAccountIssuer': 'https://issuer.example.com',
  'Image.config.openshift.io spec.allowedRegistriesForImport': [{ domainName: 'registry.example.com' }],
  'Image.config.openshift.io spec.externalRegistryHostnames': ['registry.example.com'],
  'Network.config.openshift.io spec.serviceNodePortRange': '30000-31000',
  'Proxy.config.openshift.io status': { httpsProxy: 'http://proxy.example.com:3128', noProxy: '.svc' },
  'Scheduler.config.openshift.io spec.defaultNodeSelector': 'site=north',
};

/** Rows that are read through facts, which other tests vary: networks, names, encryption, feature gates. */
const byFacts = [
  'APIServer.config.openshift.io spec.encryption.type',
  'FeatureGate.config.openshift.io spec',
  'Infrastructure.config.openshift.io spec',
  'Infrastructure.config.openshift.io status',
  'Network.config.openshift.io spec.clusterNetwork',
  'Network.config.openshift.io spec.serviceNetwork',
];

/** Rows with one known value, that of an unchanged cluster. */
const odd: Readonly<Record<string, unknown>> = {
  'Authentication.config.openshift.io spec.type': 'OIDC',
  'Network.config.openshift.io spec.externalIP': { policy: { allowedCIDRs: ['192.0.2.0/24'] } },
  'Node.config.openshift.io spec.workerLatencyProfile': 'LowUpdateSlowReaction',
  'Scheduler.config.openshift.io spec.policy.name': 'mine',
  'Scheduler.config.openshift.io spec.profile': 'NoScoring',
  'KubeControllerManager.operator.openshift.io spec.useMoreSecureServiceCA': false,
  'Etcd.operator.openshift.io spec.backendQuotaGiB': 16,
  'Etcd.operator.openshift.io spec.controlPlaneHardwareSpeed': 'Slower',
  ...Object.fromEntries(
    ['KubeAPIServer', 'KubeControllerManager', 'KubeScheduler', 'Etcd'].flatMap((kind) => [
      [`${kind}.operator.openshift.io spec.logLevel`, 'TraceAll'],
      [`${kind}.operator.openshift.io spec.managementState`, 'Unmanaged'],
    ]),
  ),
};

/** Fields of these kinds that no loop reads. */
const unknown = [
  [
    'APIServer.config.openshift.io',
    'spec.servingCerts',
    { namedCertificates: [{ names: ['a.example.com'] }] },
  ],
  ['APIServer.config.openshift.io', 'spec.clientCA', { name: 'mine' }],
  ['APIServer.config.openshift.io', 'spec.encryption', { type: 'KMS' }],
  ['APIServer.config.openshift.io', 'spec.audit', { profile: 'Nonsense' }],
  ['Authentication.config.openshift.io', 'spec.webhookTokenAuthenticator', { kubeConfig: { name: 'mine' } }],
  ['Node.config.openshift.io', 'spec.minimumKubeletVersion', '1.34.0'],
  ['Scheduler.config.openshift.io', 'spec.profileCustomizations', { dynamicResourceAllocation: 'Enabled' }],
  ['KubeAPIServer.operator.openshift.io', 'spec.unsupportedConfigOverrides', { a: 1 }],
] as const;

const nameOf = ({ kind, path }: { readonly kind: string; readonly path: readonly string[] }): string =>
  `${kind} ${path.join('.')}`;

/** The object with this value; `name` is `<Kind>.<group> <path>`. */
function objectWith(name: string, value: unknown): KubeObject {
  const [kindAndGroup = '', path = ''] = name.split(' ');
  const dot = kindAndGroup.indexOf('.');
  const fields = path
    .split('.')
    .reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as Readonly<Record<string, unknown>>;
  return {
    apiVersion: `${kindAndGroup.slice(dot + 1)}/v1`,
    kind: kindAndGroup.slice(0, dot),
    metadata: { name: 'cluster' },
    ...fields,
  };
}

function manifestOf(object: KubeObject): Manifest {
  const read = readObjects('manifests/mine.json', Buffer.from(JSON.stringify(object)));
  const [first] = read.ok ? read.value : [];
  if (first === undefined) throw new Error('expected one object');
  return userManifest('manifests/mine.json', first);
}

test('every row is varied by a test', () => {
  const rows = observedFields.filter(({ by }) => by === 'rendered').map(nameOf);
  expect([...Object.keys(others), ...byFacts, ...Object.keys(odd)].toSorted()).toEqual(rows.toSorted());
});

test.each(Object.entries(others))('%s changes the rendered files', async (name, value) => {
  const inputs = await controlPlaneInputs({ profile: 'OpenShift' });
  const filesWith = (seeds: readonly KubeObject[]): string => {
    const made = renderControlPlane({ ...inputs, seeds: [...inputs.seeds, ...seeds] });
    if (!made.ok) throw new Error('expected the loops to settle');
    return JSON.stringify(made.value.files.map(({ path, contents }) => [path, String(contents)]));
  };
  const object = objectWith(name, value);
  expect(unobservedFieldProblems([manifestOf(object)])).toEqual([]);
  expect(filesWith([object])).not.toBe(filesWith([]));
});

test.each([
  ...Object.entries(odd),
  ...unknown.map(([kind, path, value]) => [`${kind} ${path}`, value] as const),
])('%s is a problem if no loop uses its value', (name, value) => {
  const found = unobservedFieldProblems([manifestOf(objectWith(name, value))]);
  expect(found.map(({ code, at }) => ({ code, file: at?.file }))).toEqual([
    { code: 'control-plane/unobserved-field', file: 'manifests/mine.json' },
  ]);
  const [kind = '', path = ''] = name.split(' ');
  expect(found[0]?.message).toContain(path);
  expect(found[0]?.message).toContain(` of ${kind.split('.')[0] ?? ''} cluster `);
});
