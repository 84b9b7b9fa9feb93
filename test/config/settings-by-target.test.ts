import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

import installConfigFields from '#schemas/install-config' with { type: 'json' };
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import { ignoredSettings } from '../../src/config/ignored-settings.js';
import type { OutputFile } from '../../src/core/output-file.js';
import { problemsOf } from '../../src/core/result.js';
import { templatesFrom } from '../../src/disk/program-files/templates.js';
import type { FieldSchema } from '../../src/formats/field-schema.js';
import { goldenOutputs } from '../../src/run/dry-run-outputs.js';
import type { TargetName } from '../../src/run/targets.js';
import { testContext } from '../support/context.js';
import { installSamples, snoSamples, type SettingSample } from './setting-samples.js';

type Fields = Readonly<Record<string, unknown>>;

/** A target and its sno-config.yaml. */
interface Base {
  readonly name: string;
  readonly target: TargetName;
  readonly sno: Fields;
}

const references = { imageReferences: 'image-references' };
const bases: readonly Base[] = [
  { name: 'single node', target: 'single-node-ignition-config', sno: {} },
  { name: 'all in one', target: 'aio-ignition', sno: {} },
  {
    name: 'all in one, OpenShift',
    target: 'aio-ignition',
    sno: {
      releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.17.12-x86_64',
      controlPlane: { distribution: 'OpenShift' },
      ...references,
    },
  },
];

/** Fields that a target neither uses nor reports; each has a reason. */
const neutral: Readonly<Record<string, readonly string[]>> = {
  // It changes the severity of a problem, which these inputs do not have.
  manifestChecks: ['single node'],
  // openshift-install also accepts these without effect, and documents that.
  kind: ['single node', 'all in one', 'all in one, OpenShift'],
  'metadata.namespace': ['single node', 'all in one', 'all in one, OpenShift'],
  'metadata.creationTimestamp': ['single node', 'all in one', 'all in one, OpenShift'],
  'metadata.labels': ['all in one', 'all in one, OpenShift'],
  'metadata.annotations': ['all in one', 'all in one, OpenShift'],
  // These affect the storage of outputs, not their contents.
  'state.recipients': ['single node', 'all in one', 'all in one, OpenShift'],
  'state.encryptOutputs': ['single node', 'all in one', 'all in one, OpenShift'],
  // Used by `images`, and by controlPlane.render Installer. The other base has the same value.
  imageReferences: ['single node', 'all in one, OpenShift'],
  // The file names every image by digest.
  'controlPlane.imagesByDigest': ['all in one, OpenShift'],
};

const templates = templatesFrom('templates');
const installText = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
const others = {
  'extra/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n',
  'pull.json': '{"auths":{"other.example.com":{"auth":"YTpi"}}}',
  'core.pub': '# no key\n',
  '4.22.0-x86_64.payload.json': readFileSync('fixtures/configs/payload/4.22.0-x86_64.payload.json', 'utf8'),
  'image-references': readFileSync('fixtures/configs/aio-openshift/image-references.json', 'utf8'),
};

const postInstall = {
  'post-install/10-a.yaml':
    'apiVersion: route.openshift.io/v1\nkind: Route\nmetadata: {name: a, namespace: default}\n',
};

interface Made {
  readonly problems: readonly string[];
  readonly isRejected: boolean;
  readonly outputs: string;
}

async function make({ target, sno }: Base, install: Fields = {}, snoFields: Fields = {}): Promise<Made> {
  const withoutInline = {
    ...(snoFields['pullSecretFile'] !== undefined && { pullSecret: undefined }),
    ...(snoFields['sshKeyFile'] !== undefined && { sshKey: undefined }),
  };
  const head = { apiVersion: 'sno-install/v1alpha1', kind: 'SingleNodeConfig' };
  const controlPlane = { ...fieldsOf(sno['controlPlane']), ...fieldsOf(snoFields['controlPlane']) };
  const { inputs } = testContext({
    files: {
      ...others,
      ...(target !== 'aio-ignition' && postInstall),
      'install-config.yaml': stringify({
        ...fieldsOf(parse(installText)),
        ...(target === 'aio-ignition' && { bootstrapInPlace: undefined }),
        ...withoutInline,
        ...install,
      }),
      'sno-config.yaml': stringify({ ...head, ...sno, ...snoFields, controlPlane }),
    },
  });
  const result = await goldenOutputs({ target, inputs, templates });
  return {
    problems: problemsOf(result).map(({ code, message }) => `${code}: ${message}`),
    isRejected: !result.ok,
    outputs: result.ok ? result.value.map(textOf).join('\n') : '',
  };
}

function fieldsOf(value: unknown): Fields {
  return Object.fromEntries(Object.entries(value ?? {}));
}

function textOf({ path, contents }: OutputFile): string {
  return `${path}\n${Buffer.from(contents).toString('base64')}`;
}

describe.each(bases)('$name', (base) => {
  let unchanged: Made;
  beforeAll(async () => {
    unchanged = await make(base);
  });

  test.each([
    ...cells(installSamples).map((cell) => ({ ...cell, file: 'install-config.yaml' })),
    ...cells(snoSamples).map((cell) => ({ ...cell, file: 'sno-config.yaml' })),
  ])('$field of $file is used, warned of or rejected', async ({ field, file, samples }) => {
    const isOfInstall = file === 'install-config.yaml';
    const results = await Promise.all(
      samples.map(({ yaml }) => {
        const fields = fieldsOf(parse(yaml));
        return isOfInstall ? make(base, fields) : make(base, {}, fields);
      }),
    );
    const isNoticed = results.some(
      ({ isRejected, outputs, problems }) =>
        isRejected ||
        outputs !== unchanged.outputs ||
        problems.some((problem) => !unchanged.problems.includes(problem)),
    );
    const isNeutral = (neutral[field]?.includes(base.name) ?? false) && !(field === 'kind' && !isOfInstall);
    expect(isNoticed).toBe(!isNeutral);
  });
});

interface Cell {
  readonly field: string;
  readonly samples: readonly SettingSample[];
}

function cells(samples: readonly SettingSample[]): readonly Cell[] {
  const fields = [...new Set(samples.map(({ field }) => field))];
  return fields.map((field) => ({ field, samples: samples.filter((each) => each.field === field) }));
}

/** Paths of the fields that hold values; list items as `[]`. */
function leavesOf(schema: FieldSchema, path = ''): readonly string[] {
  const { properties, items } = schema;
  if (items?.properties) return leavesOf(items, `${path}[]`);
  if (!properties || Object.keys(properties).length === 0) return [path];
  return Object.entries(properties).flatMap(([name, child]) =>
    leavesOf(child, path === '' ? name : `${path}.${name}`),
  );
}

test('every field has a sample; the fields of network have separate tests', () => {
  expect(
    cells(installSamples)
      .map(({ field }) => field)
      .sort(),
  ).toEqual([...leavesOf(installConfigFields)].sort());
  const ofSno = leavesOf(snoConfigFields).filter((field) => !field.startsWith('network.'));
  expect(
    cells(snoSamples)
      .map(({ field }) => field)
      .sort(),
  ).toEqual([...ofSno].sort());
});

test('the table of ignored settings names fields that exist', () => {
  const known = {
    'install-config.yaml': leavesOf(installConfigFields),
    'sno-config.yaml': leavesOf(snoConfigFields),
  };
  const unknown = ignoredSettings.filter(
    ({ file, field }) => !known[file].some((leaf) => leaf === field || leaf.startsWith(field)),
  );
  expect(unknown).toEqual([]);
});

test.each([
  {
    target: 'single-node-ignition-config',
    yaml: 'controlPlane: {encryption: aescbc}',
    want: ['config/ignored-setting: controlPlane.encryption has no effect on a single-node cluster'],
  },
  { target: 'single-node-ignition-config', yaml: 'controlPlane: {encryption: None}', want: [] },
  {
    target: 'manifests',
    yaml: 'aio: {operatingSystem: RHCOS}\ncontrolPlane: {images: {etcd: "quay.io/a:b"}}',
    want: [
      'config/ignored-setting: controlPlane.images has no effect on a single-node cluster',
      'config/ignored-setting: aio has no effect on a single-node cluster',
    ],
  },
  {
    target: 'aio-ignition',
    yaml: 'reinstall: Refuse\nkernelArguments: [a]',
    want: ['aio/ignored-setting: kernelArguments has no effect on an all-in-one machine'],
  },
] as const)('$target with $yaml', async ({ target, yaml, want }) => {
  const { problems } = await make({ name: '', target, sno: {} }, {}, fieldsOf(parse(yaml)));
  expect(problems).toEqual(want);
});
