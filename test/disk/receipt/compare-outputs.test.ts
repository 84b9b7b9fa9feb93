import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { oddFile, outputProblems } from '../../../src/disk/receipt/compare-outputs.js';
import { writtenReceipt, listedFile, placeOfText, withHints } from '../../support/laid-receipt.js';
import { scratchFolder } from '../../support/scratch.js';

const path = 'auth/kubeconfig';
const output = { ...listedFile(path, 'abc'), mode: '0640' };
const again = 'run `create` with the same inputs and state to write it again';

function changed(how: string): readonly string[] {
  const message = `the output ${path} was changed after it was created: ${how}`;
  return [`error[receipt/output-changed] HERE: ${message} | move it away; ${again}`];
}

function exposed(mode: string): readonly string[] {
  const message = `the output ${path} has mode ${mode}instead of 0640`;
  return [`warning[receipt/exposed] HERE: ${message} | chmod 0640 ${path}`];
}

function odd(reason: string): readonly string[] {
  return [`error[receipt/odd-file] HERE: ${path} is not compared: ${reason} | `];
}

const moded = (mode: number) => (place: string) => {
  chmodSync(place, mode);
};
const moreThanRead = 128 * 1024 ** 3 + 1;

describe('an output', () => {
  test.each([
    { name: 'unchanged', change: () => undefined, want: [] },
    {
      name: 'gone',
      change: rmSync,
      want: [`error[receipt/output-missing] HERE: the output ${path} is missing | ${again}`],
    },
    {
      name: 'longer',
      change: (place: string) => {
        writeFileSync(place, 'abcd');
      },
      want: changed('it has 4 bytes instead of 3'),
    },
    {
      name: 'with other bytes',
      change: (place: string) => {
        writeFileSync(place, 'abd');
      },
      want: changed('its contents differ'),
    },
    {
      name: 'replaced by a link',
      change: (place: string) => {
        rmSync(place);
        symlinkSync('elsewhere', place);
      },
      want: odd('it is a symbolic link'),
    },
    {
      name: 'too large to read',
      given: { ...output, bytes: moreThanRead },
      change: (place: string) => {
        truncateSync(place, moreThanRead);
      },
      want: odd('it is larger than 137438953472 bytes'),
    },
    { name: 'readable by more users', change: moded(0o644), want: exposed('0644') },
    { name: 'readable by more users, with further mode bits', change: moded(0o4641), want: exposed('4641') },
    { name: 'readable by fewer users', change: moded(0o600), want: [] },
  ])('that is $name', ({ given = output, change, want }) => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'auth'));
    writeFileSync(join(folder, path), 'abc');
    chmodSync(join(folder, path), 0o640);
    const read = writtenReceipt(folder, { outputs: [given] });
    change(join(folder, path));

    const shown = withHints(outputProblems(folder, read));
    expect(shown.map((line) => line.replace(placeOfText(read, path), 'HERE'))).toEqual(want);
  });
});

describe('additional files', () => {
  test.each([
    { outputs: ['a.ign'], beside: ['b.ign', 'c.ign.age', 'notes.txt'], want: ['b.ign', 'c.ign.age'] },
    { outputs: ['a.ign.age'], beside: ['b.ign'], want: ['b.ign'] },
    { outputs: ['a.txt'], beside: ['b.ign', 'c.txt'], want: [] },
    { outputs: ['auth/a', 'auth/b'], beside: ['auth/c', 'top.ign', 'other/d'], want: ['auth/c'] },
    { outputs: ['a.ign', 'auth/b'], beside: ['auth/c', 'd.ign'], want: ['d.ign', 'auth/c'] },
    { outputs: ['auth/a'], beside: ['auth/inner/b'], want: [] },
    { outputs: ['auth/a'], beside: [`auth/${'aB3'.repeat(10)}`], want: ['…'] },
  ])('for outputs $outputs and files $beside: $want', ({ outputs, beside, want }) => {
    const folder = scratchFolder();
    for (const each of [...outputs, ...beside]) {
      mkdirSync(dirname(join(folder, each)), { recursive: true });
      writeFileSync(join(folder, each), '', { mode: 0o600 });
    }
    const listed = outputs.map((each) => ({ ...listedFile(each, ''), mode: '0600' }));

    expect(withHints(outputProblems(folder, writtenReceipt(folder, { outputs: listed })))).toEqual(
      want.map(
        (each) =>
          `warning[receipt/not-listed] receipt.json: ${each} is in the output directory but not listed in the receipt | delete it if it is not needed`,
      ),
    );
  });
});

test('skips unusual files', () => {
  expect(oddFile('a', 'it is a folder')).toEqual({
    code: 'receipt/odd-file',
    message: 'a is not compared: it is a folder',
  });
});
