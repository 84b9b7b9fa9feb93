import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, test } from 'vitest';

import { kitText, type KeyKit } from '../../../src/disk/keypool/key-kit.js';
import { kitFileName, kitIdIn, namesIn, openKit } from '../../../src/disk/keypool/kit-files.js';
import { encryptAge } from '../../../src/formats/age.js';
import { ageKeys } from '../../support/age-keys.js';
import { opening } from '../../support/made-kits.js';
import { callsAre, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const id = '0123456789abcdef'.repeat(2);
const kit: KeyKit = { pool: id, id, isApproved: false, keys: { 'key/rsa-2048/a': 'pem' } };

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

test.each([
  { name: 'its file', given: [`${id}.age`], want: id },
  { name: 'nothing', given: [], want: undefined },
  { name: 'its file and another', given: [`${id}.age`, 'x'], want: undefined },
  { name: 'a file of another name', given: ['kit.age'], want: undefined },
  { name: 'a file with more of a name', given: [`${id}.age.bak`], want: undefined },
])('the folder of a kit with $name', ({ given, want }) => {
  for (const name of given) writeFileSync(join(dir, name), '');
  expect(kitIdIn(dir)).toBe(want);
});

describe('a kit', () => {
  async function sealed(text: string): Promise<string> {
    return encryptAge(text, { recipients: [ageKeys.ours.recipient] });
  }

  const path = (): string => join(dir, kitFileName(id));

  it('is opened by a key that it is encrypted to, and by no other', async () => {
    writeFileSync(path(), await sealed(kitText(kit)));
    expect(await openKit(path(), opening)).toEqual(kit);
    const others = { identities: [ageKeys.others.identity], passphrases: [] };
    expect(await openKit(path(), others)).toBe('no-key');
  });

  it.each([
    { name: 'that is no kit', given: () => sealed('{}') },
    { name: 'that is cut off', given: async () => (await sealed(kitText(kit))).slice(0, -100) },
    { name: 'that is not encrypted', given: () => Promise.resolve(kitText(kit)) },
  ])('$name is damaged', async ({ given }) => {
    writeFileSync(path(), await given());
    expect(await openKit(path(), opening)).toBe('damaged');
  });

  it('is damaged where it is not, or is no file', async () => {
    expect(await openKit(path(), opening)).toBe('damaged');
    mkdirSync(path());
    expect(await openKit(path(), opening)).toBe('damaged');
  });
});

describe('names in a folder', () => {
  it('are sorted', () => {
    callsAre(() => ({ readdirSync: (() => ['b', 'a', 'Z']) as never }));
    expect(namesIn(dir)).toEqual(['Z', 'a', 'b']);
  });

  it('are none where no folder is', () => {
    writeFileSync(join(dir, 'file'), '');
    expect([namesIn(join(dir, 'nothing')), namesIn(join(dir, 'file'))]).toEqual([[], []]);
  });

  it('are not known where the folder cannot be read', () => {
    callsAre(() => ({ readdirSync: failing('EACCES') }));
    expect(() => namesIn(dir)).toThrow('EACCES');
  });
});
