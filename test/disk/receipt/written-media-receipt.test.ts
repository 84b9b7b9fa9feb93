import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import { writeMediaReceipt } from '../../../src/disk/receipt/media-receipt.js';
import { serializeReceipt } from '../../../src/disk/receipt/receipt.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { soundMediumReceipt } from '../../support/sound-receipt.js';

const receipt = serializeReceipt(soundMediumReceipt);

let [folder, place] = ['', ''];
beforeEach(() => {
  folder = scratchFolder();
  place = join(folder, 'site.iso.receipt.json');
});

function notWritable(message: string, hint?: string): object {
  return failure({
    code: 'dir/not-writable',
    severity: 'error',
    message,
    ...(hint !== undefined && { hint }),
  });
}

/** Contents of the files in the folder, keyed by name. */
function inFolder(): object {
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

describe('a receipt is written', () => {
  const [name, signed] = ['site.iso.receipt.json', 'site.iso.receipt.json.sig'];

  /** Writes a receipt over the existing one. `signatures` records the arguments of the signature callback. */
  function written(signature: string | undefined, text = receipt) {
    const signatures: unknown[] = [];
    const result = writeMediaReceipt(place, {
      receipt: text,
      signature: (there) => {
        signatures.push(there);
        return signature;
      },
    });
    return { result, signatures };
  }

  const lay = (files: object): void => {
    for (const [each, text] of Object.entries(files)) writeFileSync(join(folder, each), String(text));
  };

  it.each([
    { name: 'to a new file', before: {}, signature: undefined, after: { [name]: receipt } },
    { name: 'with its signature', before: {}, signature: 's', after: { [name]: receipt, [signed]: 's' } },
    {
      name: 'over another, whose signature is removed',
      before: { [name]: 'other', [signed]: 'of other' },
      signature: undefined,
      after: { [name]: receipt },
    },
    {
      name: 'over another, with a new signature',
      before: { [name]: 'other', [signed]: 'of other' },
      signature: 's',
      after: { [name]: receipt, [signed]: 's' },
    },
    {
      name: 'over another, with an equal signature',
      before: { [name]: 'other', [signed]: 's' },
      signature: 's',
      after: { [name]: receipt, [signed]: 's' },
    },
    {
      name: 'next to a signature without receipt, which is removed',
      before: { [signed]: 'of other' },
      signature: undefined,
      after: { [name]: receipt },
    },
    {
      name: 'over an equal one, and its signature is removed',
      before: { [name]: receipt, [signed]: 's' },
      signature: undefined,
      existing: 's',
      after: { [name]: receipt },
    },
    {
      name: 'over an equal one, with another signature',
      before: { [name]: receipt, [signed]: 'older' },
      signature: 's',
      existing: 'older',
      after: { [name]: receipt, [signed]: 's' },
    },
    {
      name: 'over an equal one, with a first signature',
      before: { [name]: receipt },
      signature: 's',
      after: { [name]: receipt, [signed]: 's' },
    },
  ])('$name', ({ before, signature, existing, after }) => {
    lay(before);
    expect(written(signature)).toEqual({ result: success(undefined), signatures: [existing] });
    expect(inFolder()).toEqual(after);
  });

  it('with its signature, both readable by every user', () => {
    written('s');
    expect([name, signed].map((each) => statSync(join(folder, each)).mode & 0o7777)).toEqual([0o644, 0o644]);
  });

  it('only if the receipt or its signature has changed', () => {
    lay({ [name]: receipt, [signed]: 's' });
    const inodes = () => [name, signed].map((each) => statSync(join(folder, each)).ino);
    const before = inodes();
    expect(written('s')).toEqual({ result: success(undefined), signatures: ['s'] });
    expect(inodes()).toEqual(before);
  });

  it('again if the old one is larger than the limit', () => {
    const text = receipt.padEnd(1024 * 1024 + 1);
    for (const [there, signatures] of [
      [text.slice(1), undefined],
      [text, undefined],
    ] as const) {
      lay({ [name]: there, [signed]: 's' });
      expect(written('s', text).signatures).toEqual([signatures]);
    }
    lay({ [name]: text.slice(1), [signed]: 's' });
    expect(written('s', text.slice(1)).signatures).toEqual(['s']);
  });

  it.each([
    {
      name: 'its signature cannot be removed',
      call: 'rmSync',
      message: (path: string) => `cannot remove ${path}.sig: the file system is read-only`,
      hint: undefined,
    },
    {
      name: 'it cannot be written',
      call: 'fsyncSync',
      message: (path: string) => `cannot write ${path}: the file system is read-only`,
      hint: 'free disk space or grant write permission, and run the command again',
    },
  ])('or an error is reported and the old one kept: $name', ({ call, message, hint }) => {
    lay({ [name]: 'other' });
    replaceFsCalls(() => ({ [call]: failing('EROFS') }));
    expect(written('s').result).toEqual(notWritable(message(place), hint));
    expect(readFileSync(place, 'utf8')).toBe('other');
  });
});
