import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { isRecord } from '../../../src/core/is-record.js';
import { fieldAt } from '../../../src/kube/fields.js';
import type { Manifest } from '../../../src/kube/manifest.js';
import { allManifests, everything } from '../../assets/manifests/generate.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

describeWith(['kubectl'], 'kubectl', () => {
  it.each([
    { name: 'the smallest config', given: {} },
    { name: 'a config that asks for everything', given: everything },
  ])('reads every manifest of $name as we mean it', async ({ given }) => {
    const manifests = await allManifests(given);
    const folder = scratchFolder();
    for (const { path, text } of manifests) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(manifests.length).toBeGreaterThan(18);
    expect(readByKubectl(folder, manifests)).toEqual(manifests.map(want));
  });
});

/** Reads the files with kubectl, which adds a label, without a server. */
function readByKubectl(folder: string, manifests: readonly Manifest[]): readonly unknown[] {
  const files = manifests.flatMap(({ path }) => ['--filename', join(folder, path)]);
  const given = ['label', '--local', ...files, '--output', 'json', 'read-by=kubectl'];
  const env = { PATH: process.env['PATH'] ?? '' };
  const { status, stdout, stderr } = spawnSync('kubectl', given, { encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  // kubectl prints one object after the other, each from a bracket at the start of a line to the next.
  return [...stdout.matchAll(/^\{[\s\S]*?^\}/gm)].map(([text]): unknown => JSON.parse(text));
}

function want({ object }: Manifest): unknown {
  const labels = fieldAt(object, ['metadata', 'labels']);
  return {
    ...object,
    metadata: { ...object.metadata, labels: { ...(isRecord(labels) ? labels : {}), 'read-by': 'kubectl' } },
  };
}
