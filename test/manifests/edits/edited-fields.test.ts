import { beforeAll, describe, expect, it } from 'vitest';

import { singleNodeIgnition } from '../../../src/assets/ignition/single-node-ignition.js';
import { isRecord } from '../../../src/core/is-record.js';
import { isList } from '../../../src/kube/fields.js';
import { outputTree } from '../../../src/review/output-tree.js';
import type { Manifest } from '../../../src/kube/manifest.js';
import {
  allManifests,
  everything,
  installConfigText,
  problemsWith,
  textsOf,
  type Given,
} from '../../assets/manifests/generate.js';
import { resolveAssets } from '../../support/made-from.js';
import { snoConfigText } from '../../support/minimal-config.js';

/** Fields that no other output is derived from, so that editing one file is enough; by file, with the reason. */
const free: readonly { readonly file: RegExp; readonly field: RegExp; readonly why: string }[] = [
  { file: /cluster-config\.yaml$/, field: /./, why: 'judged as a whole, see edits.test.ts' },
  { file: /infrastructure/, field: /cpuPartitioning|infrastructureTopology/, why: 'operators alone' },
  { file: /ingress/, field: /defaultPlacement/, why: 'the ingress operator alone' },
  {
    file: /network-02/,
    field: /Network\.|hostPrefix|externalIP/,
    why: 'whoever needs networks reads them here',
  },
  { file: /network-03/, field: /defaultNetwork|managementState/, why: 'the network operator alone' },
  { file: /pki/, field: /./, why: 'operators alone' },
  { file: /proxy/, field: /noProxy|trustedCA/, why: 'the live system reads it here' },
  { file: /scheduler/, field: /mastersSchedulable/, why: 'the scheduler operator alone' },
  { file: /cvo-overrides/, field: /channel/, why: 'the version operator alone' },
  {
    file: /kube-cloud-config|user-data-secret|install-manifests/,
    field: /./,
    why: 'nobody in the live system',
  },
  { file: /graceful-shutdown/, field: /./, why: 'the machine config operator alone' },
  { file: /disk-encryption/, field: /luks|filesystems/, why: 'the installed node alone' },
  { file: /secret/, field: /^type$/, why: 'nobody in the live system' },
  { file: /machineconfig/, field: /kernelArguments|ignition\.version/, why: 'the installed node alone' },
];

interface Leaf {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

let all: readonly Manifest[] = [];
beforeAll(async () => {
  all = await allManifests(everything);
});

function leavesOf(value: unknown, path: readonly (string | number)[] = []): readonly Leaf[] {
  if (isList(value)) return value.flatMap((each, index) => leavesOf(each, [...path, index]));
  if (isRecord(value)) return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
  return [{ path, value }];
}

function other(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? value + 1 : `${String(value)}x`;
}

function withLeaf(value: unknown, path: readonly (string | number)[], to: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (isList(value)) return value.map((each, index) => (index === step ? withLeaf(each, rest, to) : each));
  return isRecord(value) ? { ...value, [step]: withLeaf(value[step], rest, to) } : value;
}

/** The directory after `create manifests` with one value changed. */
function withEdit(manifest: Manifest, leaf: Leaf): Given {
  const written = Object.fromEntries(all.map(({ path, text }) => [path, text]));
  const text = JSON.stringify(withLeaf(manifest.object, leaf.path, other(leaf.value)));
  return { ...everything, written, files: { ...everything.files, ...written, [manifest.path]: text } };
}

describe('an edited value in a generated manifest', () => {
  it('is a problem, or no other file depends on it', async () => {
    const silent: string[] = [];
    for (const manifest of all)
      for (const leaf of leavesOf(manifest.object)) {
        if (['apiVersion', 'kind', 'metadata'].includes(String(leaf.path[0]))) continue;
        const name = leaf.path.join('.');
        if (free.some(({ file, field }) => file.test(manifest.path) && field.test(name))) continue;
        const problems = await problemsWith(withEdit(manifest, leaf));
        if (!problems.some((each) => each.startsWith('error['))) silent.push(`${manifest.path}: ${name}`);
      }
    expect(silent).toEqual([]);
  });

  it.each(free.map(({ file, field }) => ({ file, field })))(
    'is there: $field of $file',
    ({ file, field }) => {
      const fields = all
        .filter(({ path }) => file.test(path))
        .flatMap(({ object }) => leavesOf(object).map(({ path }) => path.join('.')));
      expect(fields.some((each) => field.test(each))).toBe(true);
    },
  );
});

describe('edited networks', () => {
  it.each(['Installer', 'Release'])('appear in all outputs, rendered by %s', async (render) => {
    const path = 'manifests/cluster-network-02-config.yml';
    const sno = `controlPlane: {render: ${render}}\ncertificates: {keyAlgorithm: ECDSA-P256}\n`;
    const install = 'proxy: {httpProxy: "http://proxy.example.com:3128"}\n';
    const { [path]: text = '', ...others } = await textsOf({ install, sno });
    const changed = text.replace('10.128.0.0/14', '10.64.0.0/14').replace('172.30.0.0/16', '172.31.0.0/16');
    const made = await resolveAssets([singleNodeIgnition], {
      written: { ...others, [path]: text },
      files: {
        'install-config.yaml': installConfigText(install),
        'sno-config.yaml': snoConfigText(sno),
        ...others,
        [path]: changed,
      },
    });
    // Includes certificates, which are shown with their names.
    const tree = Object.entries(outputTree(made.files, new Map()));
    const holding = (value: string): readonly string[] =>
      tree.flatMap(([file, each]) => (each.includes(value) ? [file] : []));
    expect([...holding('172.30.'), ...holding('10.128.')]).toEqual([]);
    expect(holding('172.31.0.1').length).toBeGreaterThan(0);
  });
});
