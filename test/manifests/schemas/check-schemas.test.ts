import { describe, expect, it } from 'vitest';

import { schemaProblems } from '../../../src/manifests/schemas/check-schemas.js';
import type { SchemaCluster } from '../../../src/manifests/schemas/schema-choice.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

const release421: SchemaCluster = {
  version: { major: 4, minor: 21, text: '4.21' },
  isOkd: false,
  featureSet: '',
  isMerged: false,
};

function found(text: string, cluster: SchemaCluster = release421): readonly string[] {
  return schemaProblems(objectsOf(text), cluster).map(showProblem);
}

function at(minor: number): SchemaCluster {
  return { ...release421, version: { major: 4, minor, text: `4.${minor}` } };
}

const pod = (spec: string) => `apiVersion: v1
kind: Pod
metadata: {name: a, namespace: b}
spec:
  containers: [{name: c, image: d${spec}}]
`;

const definition = (name: string, schema: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: ${name}, plural: things}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${schema}}}
---
apiVersion: example.com/v1
kind: ${name}
metadata: {name: a}
`;

const thing = (schema: string, spec: string) =>
  `${definition('Thing', `{type: object, properties: {spec: ${schema}}}`)}spec: ${spec}\n`;

describe('kinds of Kubernetes', () => {
  it.each<[name: string, text: string, problems: readonly string[]]>([
    ['a valid Pod', pod(', resources: {limits: {cpu: 1, memory: 1Gi}}'), []],
    [
      'quoted number',
      pod(', ports: [{containerPort: "80"}]'),
      ['spec.containers[0].ports[0].containerPort must be a whole number, not a string'],
    ],
    [
      'number for a string',
      pod(', env: [{name: A, value: 1}]'),
      ['spec.containers[0].env[0].value must be a string, not a whole number'],
    ],
    [
      'field name in other case',
      pod(', imagepullPolicy: Always'),
      ['unknown field "imagepullPolicy" in spec.containers[0]'],
    ],
    ['unknown field', pod(', nonsense: 1'), ['unknown field "nonsense" in spec.containers[0]']],
    [
      'not one of the values',
      pod(', imagePullPolicy: Sometimes'),
      ['spec.containers[0].imagePullPolicy must be Always, IfNotPresent or Never, not "Sometimes"'],
    ],
    [
      'quantity',
      pod(', resources: {requests: {memory: 1GB}}'),
      [
        'spec.containers[0].resources.requests.memory must be a quantity such as "100Mi", "500m" or "2", not "1GB"',
      ],
    ],
    [
      'map for a list',
      pod(', args: {a: b}'),
      ['spec.containers[0].args must be a list, not a map of fields'],
    ],
    [
      'number out of range',
      pod(', ports: [{containerPort: 5000000000}]'),
      ['spec.containers[0].ports[0].containerPort must be at most 2147483647, not 5000000000'],
    ],
    ['null as in Go', pod(', args: null, env: null'), []],
    [
      'a port by name or number',
      pod(', livenessProbe: {tcpSocket: {port: web}}, readinessProbe: {tcpSocket: {port: 80}}'),
      [],
    ],
    [
      'missing field',
      'apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a, namespace: b}\nspec: {template: {}}\n',
      ['spec.selector is missing', 'spec.template is empty'],
    ],
    [
      'misspelled field is not missing too',
      'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisoner: x\n',
      ['unknown field "provisoner"'],
    ],
    [
      'metadata',
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: a, label: {}}\n',
      ['unknown field "label" in metadata'],
    ],
    [
      'no value of a Secret',
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\ndata: {x: hunter2}\n',
      ['data.x must be base64'],
    ],
    [
      'namespace of a ServiceAccount',
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: a}\nroleRef: {kind: ClusterRole, name: view}\nsubjects: [{kind: ServiceAccount, name: b}]\n',
      ['subjects[0].namespace is missing'],
    ],
    [
      'ports of a Service',
      'apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: b}\nspec: {selector: {c: d}}\n',
      ['spec.ports is missing'],
    ],
    [
      'a headless Service',
      'apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: b}\nspec: {clusterIP: None}\n',
      [],
    ],
    [
      'selector and labels',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: b}\nspec: {selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: z}}, spec: {containers: [{name: c}]}}}\n',
      [
        'spec.template.spec.containers[0].image is missing',
        'spec.selector.matchLabels.app does not match the labels in spec.template.metadata.labels',
      ],
    ],
    [
      'every fault of a rule, not only the first',
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a, namespace: b}\nrules: [{verbs: [get]}]\n',
      ['rules[0].apiGroups is missing', 'rules[0].resources is missing'],
    ],
    [
      'an incomplete status',
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\nstatus: {conditions: [{type: x}]}\n',
      [],
    ],
  ])('%s', (_, text, problems) => {
    expect(
      found(text).map((line) => line.replace(/^error\[manifest\/schema\] [^ ]+ \([^ ]+\): /, '')),
    ).toEqual(problems);
  });

  it('names the position and the intended field', () => {
    const [first] = schemaProblems(objectsOf(pod(',\n    comand: [x]')), release421);
    expect(first).toMatchObject({
      at: { file: 'f.yaml', line: 6, col: 5, path: 'spec.containers[0].comand' },
      hint: 'did you mean "command"?',
    });
  });
});

describe('kinds of definitions', () => {
  it.each<[name: string, schema: string, spec: string, problems: readonly string[]]>([
    ['valid', '{type: object, properties: {a: {type: string}}}', '{a: x}', []],
    [
      'unknown field',
      '{type: object, properties: {a: {type: string}}}',
      '{b: x}',
      ['unknown field "b" in spec'],
    ],
    [
      'fields without schema',
      '{type: object, x-kubernetes-preserve-unknown-fields: true}',
      '{b: {c: 1}}',
      [],
    ],
    [
      'fields of any name',
      '{type: object, additionalProperties: {type: integer}}',
      '{b: 1, c: x}',
      ['spec.c must be a whole number, not a string'],
    ],
    [
      'int or string',
      '{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}',
      '50%',
      [],
    ],
    [
      'neither int nor string',
      '{x-kubernetes-int-or-string: true}',
      '[]',
      ['spec must be a whole number or a string, not a list'],
    ],
    [
      'default of a required field',
      '{type: object, required: [a], properties: {a: {type: string, default: x}}}',
      '{}',
      [],
    ],
    [
      'required',
      '{type: object, required: [a], properties: {a: {type: string}}}',
      '{}',
      ['spec.a is missing'],
    ],
    [
      'null of a required field',
      '{type: object, required: [a], properties: {a: {type: string}}}',
      '{a: null}',
      ['spec.a is missing'],
    ],
    [
      'nullable',
      '{type: object, required: [a], properties: {a: {type: string, nullable: true}}}',
      '{a: null}',
      [],
    ],
    ['null in a list', '{type: array, items: {type: string}}', '[null]', ['spec[0] is empty']],
    ['minimum', '{type: integer, minimum: 3}', '2', ['spec must be at least 3, not 2']],
    [
      'exclusive maximum',
      '{type: integer, maximum: 3, exclusiveMaximum: true}',
      '3',
      ['spec must be less than 3, not 3'],
    ],
    [
      'pattern',
      '{type: string, pattern: "^a+$"}',
      'b',
      ['spec does not match the pattern that the API has for it'],
    ],
    ['length', '{type: string, maxLength: 2}', 'abc', ['spec has 3 characters, expected at most 2']],
    [
      'items',
      '{type: array, maxItems: 1, items: {type: string}}',
      '[a, b]',
      ['spec has 2 items, expected at most 1'],
    ],
    [
      'keys of a list',
      '{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, properties: {id: {type: string, default: x}}}}',
      '[{id: x}, {id: z}, {}]',
      ['spec[0] and spec[2] have the same id'],
    ],
    [
      'set',
      '{type: array, x-kubernetes-list-type: set, items: {type: string}}',
      '[a, b, a]',
      ['spec[0] and spec[2] have the same value'],
    ],
    [
      'one of two fields',
      '{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}',
      '{a: x, b: z}',
      ['spec must have exactly one of a or b'],
    ],
    [
      'alternatives after defaults',
      '{type: object, properties: {a: {type: string, default: None}}, anyOf: [{required: [b]}, {not: {properties: {a: {enum: [Some]}}}}]}',
      '{}',
      [],
    ],
    [
      'embedded object',
      '{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}',
      '{kind: A, x: 1}',
      ['spec.apiVersion is missing'],
    ],
    ['format', '{type: string, format: ipv4}', '"1.2.3"', ['spec must be an IPv4 address, not "1.2.3"']],
  ])('%s', (_, schema, spec, problems) => {
    expect(
      found(thing(schema, spec)).map((line) =>
        line.replace(/^error\[manifest\/schema\] [^ ]+ \([^ ]+\): /, ''),
      ),
    ).toEqual(problems);
  });
});

describe('the schema of the release', () => {
  // The definitions of MetalLB before 4.23 have the format int32 and the maximum of uint32.
  it.each([14, 16, 18, 20, 22])('accepts AS numbers of four bytes in 4.%i', (minor) => {
    const peer = (asn: number): string =>
      `apiVersion: metallb.io/v1beta2\nkind: BGPPeer\nmetadata: {name: a, namespace: b}\nspec: {myASN: ${asn}, peerASN: 4294967295, peerAddress: 192.0.2.1}\n`;

    expect(found(peer(4_200_000_000), at(minor))).toEqual([]);
    expect(found(peer(4_294_967_296), at(minor))).not.toEqual([]);
  });

  it('checks the format of a field without a larger maximum', () => {
    const schema = '{type: object, properties: {count: {type: integer, format: int32}}}';

    expect(found(thing(schema, '{count: 3000000000}'))).toEqual([
      expect.stringContaining('spec.count must be at most 2147483647, not 3000000000'),
    ]);
  });

  const hosts = `apiVersion: v1
kind: Pod
metadata: {name: a, namespace: b}
spec: {hostnameOverride: x, containers: [{name: c, image: d}]}
`;
  it('has fields that an older release does not have', () => {
    expect(found(hosts, at(21))).toEqual([]);
    expect(found(hosts, at(14))).toEqual([
      'error[manifest/schema] f.yaml:4:8 (spec.hostnameOverride): unknown field "hostnameOverride" in spec',
    ]);
  });

  const settings = (kind: string, spec: string, group = 'operator.openshift.io') =>
    `apiVersion: ${group}/v1\nkind: ${kind}\nmetadata: {name: cluster}\nspec: {${spec}}\n`;

  it.each<[name: string, text: string, accepts: number, refuses: number]>([
    ['MachineConfiguration of 4.17', settings('MachineConfiguration', 'managedBootImages: {}'), 17, 16],
    ['Console of 4.16', settings('Console', 'ingress: {consoleURL: "https://a.example.com"}'), 16, 15],
    [
      'IngressController of 4.18',
      settings('IngressController', 'closedClientConnectionPolicy: Abort'),
      18,
      17,
    ],
    ['Network of 4.19', settings('Network', 'additionalRoutingCapabilities: {providers: [FRR]}'), 19, 18],
    ['IngressController of 4.22', settings('IngressController', 'haproxyVersion: "2.8"'), 22, 21],
    ['cgroups v1 until 4.18', settings('Node', 'cgroupMode: v1', 'config.openshift.io'), 18, 19],
    [
      'Kuryr until 4.14',
      settings('Network', 'defaultNetwork: {kuryrConfig: {enablePortPoolsPrepopulation: true}}'),
      14,
      15,
    ],
  ])('decides on a setting: %s', (_, text, accepts, refuses) => {
    const merged = (minor: number) => found(text, { ...at(minor), isMerged: true });
    expect(merged(accepts)).toEqual([]);
    expect(merged(refuses)).toEqual([expect.stringContaining('error[manifest/schema] f.yaml:4:')]);
  });

  it('accepts the fields of any release if the release is unknown', () => {
    expect(found(hosts, { ...release421, version: undefined })).toEqual([]);
  });

  it('warns if another version of an operator accepts the object', () => {
    const storage = `apiVersion: lvm.topolvm.io/v1alpha1
kind: LVMCluster
metadata: {name: a, namespace: b}
spec: {storage: {deviceClasses: [{name: c, deviceDiscoveryPolicy: Static, thinPoolConfig: {name: d, overprovisionRatio: 10}}]}}
`;
    expect(found(storage, at(22))).toEqual([]);
    expect(found(storage, at(14))).toEqual([
      'warning[manifest/schema] f.yaml:4:44 (spec.storage.deviceClasses[0].deviceDiscoveryPolicy): unknown field "deviceDiscoveryPolicy" in spec.storage.deviceClasses[0]',
    ]);
  });

  it('may be incomplete if the object is merged into one of the installation', () => {
    const version =
      'apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {channel: x}\n';
    expect(found(version)).toEqual([
      'error[manifest/schema] f.yaml:4:1 (spec.clusterID): spec.clusterID is missing',
    ]);
    expect(found(version, { ...release421, isMerged: true })).toEqual([]);
  });
});

it('checks an object once that many sites share, and once for each text that differs', () => {
  const found = Array.from({ length: 300 }, (_, site) =>
    Array.from({ length: 60 }, (_, index) => {
      const zone = index === 0 ? site % 3 : 0;
      const text = `apiVersion: v1\nkind: Namespace\nmetadata: {name: n${index}}\nspec: {zone: ${zone}}\n`;
      return schemaProblems(objectsOf(text), release421);
    }).flat(),
  ).flat();
  expect(found).toHaveLength(300 * 60);
  // Each check makes new problems.
  expect(new Set(found).size).toBe(60 - 1 + 3);
});
