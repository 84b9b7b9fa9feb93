import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { readYaml } from '../../src/formats/yaml/yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

const lookup = (name: string, key: string, filter = ''): string =>
  `'{{hub fromConfigMap "" "${name}" (printf "%s-${key}" ${name === 'sites' ? '.ManagedClusterName' : '(index .ManagedClusterLabels "hardware")'})${filter} hub}}'`;

const policyGenerator = `apiVersion: policy.open-cluster-management.io/v1
kind: PolicyGenerator
metadata: {name: group}
policyDefaults:
  namespace: ztp
  placement:
    labelSelector: {hardware: hw1, zone: z}
policies:
- name: group-config
  policyAnnotations: {ran.openshift.io/ztp-deploy-wave: "10"}
  manifests:
    - path: source-crs/ptp.yaml
      openapi: {path: schema.openapi}
      patches:
        - metadata: {name: slave}
          spec:
            profile:
            - name: slave
              interface: ${lookup('hardware', 'interface')}
            match: {$patch: replace, own: "1"}
            ports: ${lookup('hardware', 'ports', ' | toLiteral')}
            vlan: ${lookup('sites', 'vlan', ' | toInt')}
            script: echo \${HOME}
    - path: source-crs/gone.yaml
      complianceType: mustnothave
    - path: source-crs/status.yaml
    - path: source-crs/absent.yaml
    - path: source-crs/program.yaml
`;

const files: Readonly<Record<string, string>> = {
  'policies/group.yaml': policyGenerator,
  'policies/schema.openapi': JSON.stringify({
    definitions: {
      'ptp.v1.PtpConfig': {
        properties: {
          spec: { properties: { profile: { type: 'array', 'x-kubernetes-patch-merge-key': 'name' } } },
        },
        'x-kubernetes-group-version-kind': [{ group: 'ptp.openshift.io', kind: 'PtpConfig', version: 'v1' }],
      },
    },
  }),
  'policies/common.yaml': `apiVersion: ran.openshift.io/v1
kind: PolicyGenTemplate
metadata: {name: common, namespace: ztp}
spec:
  bindingRules: {common: "true"}
  mcp: master
  sourceFiles:
    - fileName: pool.yaml
      policyName: config
      metadata: {name: own}
      spec:
        items: [{b: 2}]
        set: yes-1
`,
  'policies/values.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: hardware, namespace: ztp}
data: {hw1-interface: ens5f0, hw1-ports: '["a", "b"]'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: sites, namespace: ztp}
data: {site-1-vlan: "140", site-2-vlan: "150"}
`,
  'policies/policy.yaml': `apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: own, namespace: ztp, annotations: {ran.openshift.io/ztp-deploy-wave: "100"}}
spec:
  policy-templates:
    - objectDefinition:
        kind: ConfigurationPolicy
        spec:
          object-templates:
            - complianceType: musthave
              objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: made}}
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: {name: own}
placementRef: {name: own, kind: Placement}
subjects: [{name: own, kind: Policy}]
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: own}
spec:
  predicates:
    - requiredClusterSelector:
        labelSelector:
          matchExpressions:
            - {key: sites, operator: In, values: [site-1]}
            - {key: done, operator: DoesNotExist}
`,
  'source-crs/ptp.yaml': `apiVersion: ptp.openshift.io/v1
kind: PtpConfig
metadata: {name: default, namespace: openshift-ptp, annotations: {ran.openshift.io/ztp-deploy-wave: "1"}}
spec:
  profile: [{name: slave, interface: $interface, opts: -2 -s}]
  match: {old: "1"}
status: {ready: true}
`,
  'source-crs/gone.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: gone, namespace: a}\ndata: {a: b}\n',
  'source-crs/status.yaml':
    'apiVersion: operators.coreos.com/v1\nkind: Operator\nmetadata: {name: a}\nstatus: {a: b}\n',
  'source-crs/program.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p, namespace: a}\ndata: {a: '{{hub lookup "v1" "Secret" "a" "b" hub}}'}\n`,
  'source-crs/pool.yaml': `apiVersion: example.com/v1
kind: Pool
metadata: {name: $name, annotations: {ran.openshift.io/ztp-deploy-wave: "2"}}
spec: {items: [{a: 1}, {c: 3}], role: node-role/$mcp, gone: $gone, set: $set}
`,
};

test('policies become post-install files of the layers of a fleet, and everything else is listed', async () => {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const out = join(folder, 'fleet');
  const args = ['import', 'policies', join(folder, 'policies'), '--source-crs', join(folder, 'source-crs')];
  const { code, stdout } = await snoInProcess([...args, '--dir', out, '--output', 'json']);
  const result = JSON.parse(stdout) as {
    readonly files: readonly string[];
    readonly objects: unknown;
    readonly layers: unknown;
    readonly problems: readonly {
      readonly code: string;
      readonly message: string;
      readonly at: { readonly line?: number };
    }[];
  };
  expect(code).toBe(0);
  const data = Object.fromEntries(
    result.files.map((path) => {
      const text = readFileSync(join(out, path), 'utf8');
      return [path, path.endsWith('.csv') ? text : readYaml(text).documents.map(toData)[0]];
    }),
  );
  expect(data).toEqual({
    'base/post-install/02-pool-own.yaml': {
      apiVersion: 'example.com/v1',
      kind: 'Pool',
      metadata: { name: 'own' },
      spec: { items: [{ a: 1, b: 2 }, { c: 3 }], role: 'node-role/master', set: 'yes-1' },
    },
    'classes/hardware-hw1.zone-z/post-install/10-ptpconfig-openshift-ptp-slave.yaml': {
      apiVersion: 'ptp.openshift.io/v1',
      kind: 'PtpConfig',
      metadata: { name: 'slave', namespace: 'openshift-ptp' },
      spec: {
        profile: [{ name: 'slave', interface: '${interface}', opts: '-2 -s' }],
        match: { own: '1' },
        ports: '${ports}',
        vlan: '${vlan}',
        script: 'echo $${HOME}',
      },
    },
    'classes/hardware-hw1.zone-z/variables.yaml': { interface: 'ens5f0', ports: ['a', 'b'] },
    'columns.csv': 'name,vlan\nsite-1,140\nsite-2,150\n',
    'overrides/site-1/post-install/100-namespace-made.yaml': {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'made' },
    },
  });
  // A quoted placeholder would always be a text.
  const ptp = readFileSync(join(out, result.files.find((path) => path.includes('ptpconfig')) ?? ''), 'utf8');
  expect(ptp).toMatch(/^ {2}vlan: \$\{vlan\}$/m);
  expect(result.objects).toEqual({ found: 6, imported: 3 });
  expect(result.layers).toEqual([
    { folder: 'base', labels: { common: 'true' } },
    { folder: 'classes/hardware-hw1.zone-z', labels: { hardware: 'hw1', zone: 'z' } },
    { folder: 'overrides/site-1', labels: { sites: 'site-1' } },
  ]);
  expect(result.problems.map(({ code: each, message, at }) => `${at.line ?? 0} ${each}: ${message}`)).toEqual(
    [
      expect.stringMatching(/^27 import\/missing: the source CR ".*absent.yaml" does not exist$/),
      expect.stringMatching(/^\d+ import\/left-out: the condition done DoesNotExist is not imported$/),
      expect.stringMatching(/^12 import\/no-place: the status of PtpConfig slave is not imported$/),
      expect.stringMatching(
        /^24 import\/left-out: ConfigMap gone of policy group-config is not imported: mustnothave$/,
      ),
      expect.stringMatching(
        /^26 import\/left-out: Operator a of policy group-config is not imported: the policy only checks/,
      ),
      expect.stringMatching(
        /^28 import\/left-out: the template .* is not a lookup; its object is not imported$/,
      ),
    ],
  );
});

const policyWith = (
  wave: string,
  objects: string,
): string => `apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: own, namespace: ztp, annotations: {ran.openshift.io/ztp-deploy-wave: "${wave}"}}
spec:
  policy-templates:
    - objectDefinition:
        kind: ConfigurationPolicy
        spec:
          object-templates:
${objects}
`;

const generatorFor = (
  labels: string,
  manifest: string,
): string => `apiVersion: policy.open-cluster-management.io/v1
kind: PolicyGenerator
metadata: {name: group}
policyDefaults: {namespace: ztp, placement: {labelSelector: ${labels}}}
policies:
  - name: config
    manifests:
      - ${manifest}
`;

const settings = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata: {c: '{{hub fromConfigMap "" "values" "c" hub}}'}\n`;

test.each([
  {
    name: 'a wave that is no number',
    policies: policyWith(
      'ten',
      '            - objectDefinition: {apiVersion: v1, kind: Namespace, metadata: {name: a}}',
    ),
    want: 'import/no-place: the wave "ten" is not a whole number; the object is in wave 0',
  },
  {
    name: 'an entry without an object',
    policies: policyWith('1', '            - complianceType: musthave'),
    want: 'import/left-out: an entry of object-templates without objectDefinition is not imported',
  },
  {
    name: 'a missing schema of a patch',
    policies: generatorFor('{a: b}', '{path: source-crs/pool.yaml, openapi: {path: absent.json}}'),
    want: 'import/missing: the schema "absent.json" has no definitions here; lists of the patches replace those of the object',
  },
  {
    name: 'further labels of a policy for all sites',
    policies: generatorFor('{common: "true", du: latest}', '{path: source-crs/pool.yaml}'),
    want: 'import/no-place: policy "config" is for sites with common=true and du; its objects are in the base, for all sites',
  },
  {
    name: 'values of the base',
    policies: `${generatorFor('{common: "true"}', '{path: source-crs/settings.yaml}')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: values, namespace: ztp}\ndata: {c: d}\n`,
    want: 'import/no-place: no command reads base-variables.yaml, which has values for base: c',
  },
])('an import of policies names $name', async ({ policies, want }) => {
  const folder = scratchFolder();
  const laid = {
    'policies/a.yaml': policies,
    'source-crs/pool.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata: {c: d}\n',
    'source-crs/settings.yaml': settings,
  };
  for (const [path, text] of Object.entries(laid)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const args = ['import', 'policies', join(folder, 'policies'), '--source-crs', join(folder, 'source-crs')];
  const { stdout } = await snoInProcess([...args, '--dir', join(folder, 'fleet'), '--output', 'json']);
  const { problems } = JSON.parse(stdout) as {
    readonly problems: readonly { readonly code: string; readonly message: string }[];
  };
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toContain(want);
});
