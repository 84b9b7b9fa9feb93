import { describe, expect, it } from 'vitest';

import { postInstallObjects } from '../../../src/assets/manifests/post-install.js';
import { userManifests } from '../../../src/assets/manifests/user-manifests.js';
import { problemsOf } from '../../../src/core/result.js';
import { showProblem } from '../../support/show-problem.js';
import { made, textsOf, type Given } from './generate.js';

interface Definition {
  readonly name?: string;
  readonly api?: string;
  readonly versions?: string;
}

const schema = '{type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}';

function version(name: string, more = `schema: {openAPIV3Schema: ${schema}}`, served = true): string {
  return `{name: ${name}, served: ${String(served)}, storage: ${String(name === 'v1')}, ${more}}`;
}

function definition({
  name = 'radios.example.com',
  api = 'apiextensions.k8s.io/v1',
  versions = `[${version('v1')}]`,
}: Definition = {}): string {
  return `apiVersion: ${api}
kind: CustomResourceDefinition
metadata: {name: ${name}}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Radio, plural: radios}
  versions: ${versions}
`;
}

function ofSchema(text: string): string {
  return definition({ versions: `[${version('v1', `schema: {openAPIV3Schema: ${text}}`)}]` });
}

const inSpec = (text: string): string => ofSchema(`{type: object, properties: {spec: ${text}}}`);

const radio = (spec: string, api = 'example.com/v1'): string =>
  `apiVersion: ${api}\nkind: Radio\nmetadata: {name: a, namespace: default}\nspec: ${spec}\n`;

const release = 'releaseImage: quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64\n';

/** Problems of both assets, without the one about the missing operator. */
async function problemsIn(
  files: Readonly<Record<string, string>>,
  more: Given = {},
): Promise<readonly string[]> {
  const given = { sno: release, ...more, files };
  const results = [await made(userManifests, given), await made(postInstallObjects, given)];
  return results
    .flatMap(problemsOf)
    .filter(({ code }) => code !== 'post-install/kind-unknown')
    .map(showProblem);
}

describe('a definition in crds/', () => {
  it.each<[name: string, files: Readonly<Record<string, string>>, problems: readonly string[]]>([
    ['alone', {}, []],
    ['and a valid object', { 'post-install/a.yaml': radio('{size: 1}') }, []],
    [
      'and a wrong object in post-install/',
      { 'post-install/a.yaml': radio('{size: "1", sise: 2}') },
      [
        'error[manifest/schema] post-install/a.yaml:4:14 (spec.size): spec.size must be a whole number, not a string',
        'error[manifest/schema] post-install/a.yaml:4:19 (spec.sise): unknown field "sise" in spec',
      ],
    ],
    [
      'and an object in manifests/, which also needs the definition there',
      { 'manifests/a.yaml': radio('{size: x}') },
      [
        'error[manifest/kind-unknown] manifests/a.yaml:1:13 (apiVersion): Radio default/a cannot be created during the bootstrap: no manifest defines kinds of example.com',
        'error[manifest/schema] manifests/a.yaml:4:14 (spec.size): spec.size must be a whole number, not a string',
      ],
    ],
    [
      'and an object without namespace',
      { 'post-install/a.yaml': radio('{size: 1}').replace(', namespace: default', '') },
      [
        'error[manifest/missing-field] post-install/a.yaml:3:1 (metadata.namespace): metadata.namespace is missing: Radio a lives in a namespace',
      ],
    ],
    [
      'and an object of another version',
      { 'post-install/a.yaml': radio('{}', 'example.com/v1beta1') },
      [
        'error[manifest/schema] post-install/a.yaml:1:13 (apiVersion): Radio has no served version example.com/v1beta1 in its definition crds/a.yaml',
      ],
    ],
    [
      'and a version that is not served',
      {
        'crds/a.yaml': definition({ versions: `[${version('v1')}, ${version('v2', undefined, false)}]` }),
        'post-install/a.yaml': radio('{}', 'example.com/v2'),
      },
      [
        'error[manifest/schema] post-install/a.yaml:1:13 (apiVersion): Radio has no served version example.com/v2 in its definition crds/a.yaml',
      ],
    ],
    ['twice', { 'crds/b.yaml': definition() }, []],
    [
      'and another one of the kind',
      { 'crds/b.yaml': ofSchema('{type: object}') },
      [
        'error[manifest/definition] crds/b.yaml:3:18 (metadata.name): the kind Radio of example.com is defined in crds/a.yaml and in crds/b.yaml, and the definitions differ',
      ],
    ],
    [
      'and another one that is installed',
      { 'manifests/b.yaml': ofSchema('{type: object}') },
      [
        'error[manifest/definition] manifests/b.yaml:3:18 (metadata.name): the kind Radio of example.com is defined in crds/a.yaml and in manifests/b.yaml, and the definitions differ',
      ],
    ],
    [
      'and other objects of the bundle',
      {
        'crds/a.yaml': `${radio('{}')}---\n${definition()}---\n${radio('{}')}`,
        'post-install/a.yaml': radio('{size: a}'),
      },
      [
        'warning[manifest/not-a-definition] crds/a.yaml:2:7 (kind): Radio default/a and 1 more objects of the file are not installed: crds/ is only for CustomResourceDefinitions',
        'error[manifest/schema] post-install/a.yaml:4:14 (spec.size): spec.size must be a whole number, not a string',
      ],
    ],
    [
      'and files that are not manifests',
      { 'crds/README.md': 'x', 'crds/more/b.yaml': definition() },
      [
        'warning[manifest/ignored-file] crds/README.md: "crds/README.md" is ignored: manifests end in .yaml, .yml or .json and do not start with a dot',
        'warning[manifest/ignored-file] crds/more: "crds/more/" is ignored: manifests are read from the folder itself, not from folders in it',
      ],
    ],
    [
      'that is not YAML',
      { 'crds/a.yaml': 'a:\n\tb: 1\n' },
      ['error[manifest/syntax] crds/a.yaml:2:1: tabs are not allowed as indentation'],
    ],
    [
      'of v1beta1',
      { 'crds/a.yaml': definition({ api: 'apiextensions.k8s.io/v1beta1' }) },
      [
        'error[manifest/definition] crds/a.yaml:1:13 (apiVersion): CustomResourceDefinition radios.example.com is of apiextensions.k8s.io/v1beta1, which no supported release serves',
      ],
    ],
    [
      'with another name',
      { 'crds/a.yaml': definition({ name: 'radio.example.com' }) },
      [
        'error[manifest/definition] crds/a.yaml:3:18 (metadata.name): metadata.name must be spec.names.plural and spec.group, joined with a dot',
      ],
    ],
    [
      'without schema',
      { 'crds/a.yaml': definition({ versions: `[${version('v1', 'schema: {}')}]` }) },
      [
        'error[manifest/definition] crds/a.yaml:8:54 (spec.versions[0].schema.openAPIV3Schema): spec.versions[0].schema.openAPIV3Schema is missing',
      ],
    ],
    [
      'without versions',
      { 'crds/a.yaml': definition({ versions: '[]' }) },
      ['error[manifest/definition] crds/a.yaml:8:3 (spec.versions): spec.versions is missing'],
    ],
    [
      'without group and kind',
      {
        'crds/a.yaml':
          'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n',
      },
      ['spec.group', 'spec.names.plural', 'spec.names.kind', 'spec.versions'].map(
        (path) => `error[manifest/definition] crds/a.yaml:1:1 (${path}): ${path} is missing`,
      ),
    ],
    [
      'with two versions of a name, both stored',
      { 'crds/a.yaml': definition({ versions: `[${version('v1')}, ${version('v1')}]` }) },
      [
        'error[manifest/definition] crds/a.yaml:8:178 (spec.versions[1].name): spec.versions[1].name is the name of another version too',
        'error[manifest/definition] crds/a.yaml:8:3 (spec.versions): spec.versions must have one version with storage: true',
      ],
    ],
  ])('%s', async (_, files, problems) => {
    expect(await problemsIn({ 'crds/a.yaml': definition(), ...files })).toEqual(problems);
  });

  it('takes precedence over the schema of the release', async () => {
    const files = {
      'crds/a.yaml': definition({ name: 'tuneds.tuned.openshift.io' })
        .replace('group: example.com', 'group: tuned.openshift.io')
        .replace('{kind: Radio, plural: radios}', '{kind: Tuned, plural: tuneds}'),
      'manifests/a.yaml': radio('{size: 1}', 'tuned.openshift.io/v1')
        .replace('Radio', 'Tuned')
        .replace('namespace: default', 'namespace: openshift-cluster-node-tuning-operator'),
    };
    expect(await problemsIn(files)).toEqual([]);
  });

  it('changes no output', async () => {
    expect(await textsOf({ files: { 'crds/a.yaml': definition() } })).toEqual(await textsOf());
  });

  it('may be larger than an object of the API', async () => {
    const text = `${definition()}# ${'x'.repeat(1_600_000)}\n`;
    expect(await problemsIn({ 'crds/a.yaml': text })).toEqual([]);
  });
});

/** The path of the fault in `spec` of the schema, and the message after that path. */
describe('a schema that is not structural', () => {
  it.each<[name: string, text: string, problems: readonly string[]]>([
    ['no type at the root', ofSchema('{properties: {}}'), ['type must be object']],
    ['nullable root', ofSchema('{type: object, nullable: true}'), ['nullable must be false']],
    ['no type of a field', inSpec('{properties: {}}'), ['properties.spec.type is missing']],
    [
      'unknown type',
      inSpec('{type: int}'),
      ['properties.spec.type must be one of object, array, string, integer, number, boolean'],
    ],
    ['list without items', inSpec('{type: array}'), ['properties.spec.items must be a schema']],
    [
      'unique items',
      inSpec('{type: array, uniqueItems: true, items: {type: string}}'),
      ['properties.spec.uniqueItems cannot be true'],
    ],
    [
      'reference',
      inSpec("{type: object, $ref: '#/definitions/a'}"),
      ['properties.spec has $ref, which is not supported in a CustomResourceDefinition'],
    ],
    [
      'two kinds of properties',
      inSpec('{type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}'),
      ['properties.spec.additionalProperties cannot be used with properties'],
    ],
    [
      'no other properties',
      inSpec('{type: object, additionalProperties: false}'),
      ['properties.spec.additionalProperties cannot be false'],
    ],
    [
      'type in an alternative',
      inSpec('{type: object, properties: {a: {type: string}}, oneOf: [{properties: {a: {type: string}}}]}'),
      [
        'properties.spec.oneOf[0].properties.a has type, which must be outside of allOf, anyOf, oneOf and not',
      ],
    ],
    [
      'a field only in an alternative',
      inSpec('{type: object, anyOf: [{properties: {a: {minLength: 1}}}]}'),
      ['properties.spec.anyOf[0].properties.a must also be defined outside of allOf, anyOf, oneOf and not'],
    ],
    [
      'keys of a list',
      inSpec(
        '{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: {type: object, properties: {a: {type: string}}}}',
      ),
      [
        'properties.spec.x-kubernetes-list-map-keys[0] must be required in items, or have a default',
        'properties.spec.x-kubernetes-list-map-keys[1] is not a property of items',
      ],
    ],
    [
      'embedded object without fields',
      inSpec('{type: object, x-kubernetes-embedded-resource: true}'),
      ['properties.spec.properties is missing'],
    ],
    [
      'valid forms',
      inSpec(
        '{type: object, required: [a], properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}, b: {x-kubernetes-preserve-unknown-fields: true}, c: {type: object, additionalProperties: {type: string}}, d: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [e], items: {type: object, required: [e], properties: {e: {type: string}}}}}, oneOf: [{required: [b]}, {required: [c], properties: {c: {minProperties: 1}}}]}',
      ),
      [],
    ],
  ])('%s', async (_, text, problems) => {
    const found = await problemsIn({ 'crds/a.yaml': text });
    const installed = await problemsIn({ 'manifests/a.yaml': text });
    const messages = (lines: readonly string[]): readonly string[] =>
      lines.map((line) => line.replace(/^.*: spec\.versions\[0\]\.schema\.openAPIV3Schema\./, ''));
    expect(messages(found)).toEqual(problems);
    expect(messages(installed)).toEqual(problems);
  });
});
