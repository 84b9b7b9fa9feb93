import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { inputProblems } from '../../../src/disk/receipt/compare-inputs.js';
import { maxFileBytes } from '../../../src/disk/regular-file.js';
import type { ReceiptInput } from '../../../src/disk/receipt/receipt.js';
import { writtenReceipt, listedFile, placeOfText, withHints } from '../../support/laid-receipt.js';
import { scratchFolder } from '../../support/scratch.js';

const other = listedFile('agent-config.yaml', 'b: 2\n');
const path = 'install-config.yaml';
const input = listedFile(path, 'a: 1\n');
const createAgain = ' | run `create` again, or undo the change';

/** The problems of one input. A second input is unchanged and must have no problem. */
function problemsWith(given: ReceiptInput, lay: (place: string) => void): readonly string[] {
  const folder = scratchFolder();
  writeFileSync(join(folder, other.path), 'b: 2\n');
  lay(join(folder, given.path));
  const read = writtenReceipt(folder, { inputs: [other, given] });
  return withHints(inputProblems(folder, read)).map((shown) =>
    shown.replace(placeOfText(read, given.path), 'HERE'),
  );
}

const writing = (contents: string) => (place: string) => {
  writeFileSync(place, contents);
};
const growing = (bytes: number) => (place: string) => {
  writeFileSync(place, '');
  truncateSync(place, bytes);
};
const nothing = () => undefined;

const changed = (how: string) => [
  `error[receipt/input-changed] HERE: the input ${path} has changed: ${how}${createAgain}`,
];
const odd = (reason: string) => [`error[receipt/odd-file] HERE: ${path} is not compared: ${reason} | `];

describe('an input', () => {
  test.each([
    { name: 'unchanged', lay: writing('a: 1\n'), want: [] },
    {
      name: 'gone',
      lay: nothing,
      want: [`error[receipt/input-changed] HERE: the input ${path} no longer exists${createAgain}`],
    },
    { name: 'shorter', lay: writing('a: 1'), want: changed('its size differs') },
    { name: 'with other bytes', lay: writing('a: 2\n'), want: changed('its contents differ') },
    { name: 'replaced by a folder', lay: mkdirSync, want: odd('it is a folder') },
    {
      name: 'replaced by a link',
      lay: (place: string) => {
        symlinkSync('agent-config.yaml', place);
      },
      want: odd('it is a symbolic link'),
    },
    {
      name: 'too large',
      given: { ...input, bytes: maxFileBytes + 1 },
      lay: growing(maxFileBytes + 1),
      want: odd('it is larger than 67108864 bytes'),
    },
    {
      name: 'at the size limit',
      given: { ...input, bytes: maxFileBytes },
      lay: growing(maxFileBytes),
      want: changed('its contents differ'),
    },
    { name: 'still missing', given: { path, absent: true as const }, lay: nothing, want: [] },
    {
      name: 'newly created',
      given: { path, absent: true as const },
      lay: writing(''),
      want: changed('it did not exist'),
    },
  ])('that is $name', ({ given = input, lay, want }) => {
    expect(problemsWith(given, lay)).toEqual(want);
  });

  it('is reported without its name if the name may be a secret', () => {
    const secret = `${'aB3'.repeat(10)}.yaml`;
    expect(problemsWith({ ...input, path: secret }, nothing)).toEqual([
      `error[receipt/input-changed] HERE: the input … no longer exists${createAgain}`,
    ]);
  });
});

describe('skips the comparison if all inputs are missing', () => {
  test.each([
    { count: 1, listed: '0.yaml' },
    { count: 3, listed: '0.yaml, 1.yaml, 2.yaml' },
    { count: 5, listed: '0.yaml, 1.yaml, 2.yaml and 2 more' },
  ])('and reports $count paths', ({ count, listed }) => {
    const folder = scratchFolder();
    const removed = Array.from({ length: count }, (_, index) => listedFile(`${index}.yaml`, ''));
    mkdirSync(join(folder, 'manifests'));
    writeFileSync(join(folder, 'manifests', 'new.yaml'), '');
    const inputs = [...removed, { path: 'absent.yaml', absent: true as const }];
    const read = writtenReceipt(folder, { inputs, inputFolders: ['manifests'] });

    expect(withHints(inputProblems(folder, read))).toEqual([
      `warning[receipt/input-not-compared] receipt.json: inputs were not compared because none exists: ${listed} | `,
    ]);
  });

  it('but reports missing inputs if another exists', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'agent-config.yaml'));
    const problems = inputProblems(folder, writtenReceipt(folder, { inputs: [other, input] }));
    expect(problems.map(({ code }) => code)).toEqual(['receipt/odd-file', 'receipt/input-changed']);
  });

  it('and reports nothing for a receipt without inputs', () => {
    const folder = scratchFolder();
    const read = writtenReceipt(folder, { inputs: [{ path, absent: true }] });
    expect(inputProblems(folder, read)).toEqual([]);
  });
});

describe('new files in a folder of inputs', () => {
  test.each([
    { appeared: [], want: '' },
    { appeared: ['b.yml'], want: 'openshift/b.yml is there since, and was no input' },
    {
      appeared: ['c.json', 'b.yaml'],
      want: 'openshift/b.yaml, openshift/c.json are there since, and were no input',
    },
  ])('are reported: $appeared', ({ appeared, want }) => {
    const folder = scratchFolder();
    const known = listedFile('openshift/a.yaml', 'a: 1\n');
    mkdirSync(join(folder, 'openshift', 'folder.yaml'), { recursive: true });
    writeFileSync(join(folder, known.path), 'a: 1\n');
    for (const name of ['README.md', ...appeared]) writeFileSync(join(folder, 'openshift', name), '');
    const read = writtenReceipt(folder, { inputs: [known], inputFolders: ['manifests', 'openshift'] });

    expect(withHints(inputProblems(folder, read))).toEqual(
      want === ''
        ? []
        : [`error[receipt/input-changed] ${placeOfText(read, 'openshift')}: ${want}${createAgain}`],
    );
  });
});
