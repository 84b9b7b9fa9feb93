import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { armor, Encrypter } from 'age-encryption';
import { expect, test } from 'vitest';

import { success } from '../../src/core/result.js';
import { noAccess, type StateAccess } from '../../src/disk/state/state-access.js';
import { encryptAge, isAge, type Seal } from '../../src/formats/age.js';
import { siteCatalogue } from '../../src/serve/site-catalogue.js';
import { openServingState } from '../../src/serve/tokens/open-serving.js';
import { readServingState } from '../../src/serve/tokens/serving-state.js';
import { ageKeys } from '../support/age-keys.js';
import { scratchFolder } from '../support/scratch.js';

const { recipient, identity } = ageKeys.ours;
const passphrase = 'seven words of which nobody thinks';
const now = new Date('2026-11-22T00:00:00Z');

/** Access with the identity and the passphrase. */
const holder: StateAccess = {
  ...noAccess,
  keys: () => Promise.resolve(success({ identities: [identity], passphrases: [passphrase] })),
  passphrase: () => Promise.resolve(success(passphrase)),
};
const naming = (seal: Seal): StateAccess => ({ ...holder, seal: () => Promise.resolve(success(seal)) });

const order = (path: string, access: StateAccess, revoked: readonly string[] = []) => ({
  path,
  access,
  now,
  revoked,
  isViewerRevoked: false,
});

/** Creates a token file in plain text. With `seal` it is then encrypted by age directly, so that its text does not name the recipients. */
async function sealedManually(seal: Seal | undefined): Promise<string> {
  const path = join(scratchFolder(), 'tokens.json');
  expect(await openServingState(order(path, noAccess))).toMatchObject({ ok: true });
  if (seal) writeFileSync(path, await encryptAge(readFileSync(path), seal));
  return path;
}

async function storedAt(path: string) {
  const read = await readServingState(path, holder);
  if (!read.ok || read.value === undefined) throw new Error('it cannot be read');
  return read.value;
}

async function fileFacts(path: string) {
  const { sealedBy, state } = await storedAt(path);
  return {
    isAge: isAge(readFileSync(path)),
    sealedBy,
    recipients: state.recipients,
    used: state.generations,
  };
}

test.each([
  { name: 'in plain text', by: undefined, access: holder, want: { isAge: false } },
  {
    name: 'encrypted to somebody, with --recipient',
    by: { recipients: [recipient] },
    access: naming({ recipients: [recipient] }),
    want: { isAge: true, sealedBy: 'recipients', recipients: [recipient] },
  },
  {
    name: 'in plain text, with --recipient',
    by: undefined,
    access: naming({ recipients: [recipient] }),
    want: { isAge: true, sealedBy: 'recipients', recipients: [recipient] },
  },
])('a file of tokens $name is written again as it is to be', async ({ by, access, want }) => {
  const path = await sealedManually(by);
  expect(await openServingState(order(path, access, ['north-1']))).toMatchObject({ ok: true });
  expect(await fileFacts(path)).toEqual({
    sealedBy: undefined,
    recipients: undefined,
    ...want,
    used: { 'north-1': 1 },
  });
});

test('one that a passphrase opens stays encrypted by it', async () => {
  const path = await sealedManually(undefined);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  // The lowest work factor, for speed.
  encrypter.setScryptWorkFactor(1);
  writeFileSync(path, await encrypter.encrypt(readFileSync(path)));
  expect(await openServingState(order(path, holder, ['north-1']))).toMatchObject({ ok: true });
  const head = Buffer.from(armor.decode(readFileSync(path, 'utf8'))).toString('latin1', 0, 32);
  expect(head).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
});

test('one that names its recipients stays encrypted to them', async () => {
  const path = await sealedManually(undefined);
  await openServingState(order(path, naming({ recipients: [recipient] })));
  await openServingState(order(path, holder, ['north-1']));
  expect(await fileFacts(path)).toEqual({
    isAge: true,
    sealedBy: 'recipients',
    recipients: [recipient],
    used: { 'north-1': 1 },
  });
});

test('reads an encrypted token file without recipients, and does not write it', async () => {
  const path = await sealedManually({ recipients: [recipient] });
  const before = readFileSync(path, 'utf8');
  expect(await openServingState(order(path, holder))).toMatchObject({ ok: true });
  expect(await openServingState(order(path, holder, ['north-1']))).toEqual({
    ok: false,
    problems: [
      {
        code: 'media/serve-state',
        severity: 'error',
        message: `${path} cannot be updated`,
        hint: 'name recipients with --recipient: the file is encrypted, but no recipients are set',
      },
    ],
  });
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('rejects a token file with an invalid recipient before it writes files', async () => {
  const path = await sealedManually(undefined);
  const text = readFileSync(path, 'utf8').replace(/\n}\n$/, ',\n  "recipients": ["age1nobody"]\n}\n');
  writeFileSync(path, text);
  expect(await openServingState(order(path, holder, ['north-1']))).toMatchObject({
    ok: false,
    problems: [{ code: 'media/serve-state', message: expect.stringContaining('recipients[0] is') as string }],
  });
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('one is not written again for the order in which recipients are named', async () => {
  const path = await sealedManually(undefined);
  const recipients = [recipient, ageKeys.others.recipient];
  await openServingState(order(path, naming({ recipients })));
  const before = readFileSync(path, 'utf8');
  await openServingState(order(path, naming({ recipients: recipients.toReversed() })));
  expect(readFileSync(path, 'utf8')).toBe(before);
  await openServingState(order(path, naming({ recipients: [recipient] })));
  expect((await fileFacts(path)).recipients).toEqual([recipient]);
});

test.each(['constructor', '__proto__', 'toString'])('a site may be called %s', async (name) => {
  const path = await sealedManually(undefined);
  const folder = scratchFolder();
  mkdirSync(join(folder, name));
  const before = siteCatalogue([folder], (await storedAt(path)).state);
  expect(before).toMatchObject({ ok: true, value: { sites: [{ name, generation: 0 }] } });
  for (const times of [1, 2]) {
    const opened = await openServingState(order(path, holder, [name]));
    if (!opened.ok) throw new Error('it cannot be written');
    expect(Object.entries(opened.value.generations)).toEqual([[name, times]]);
    expect(Object.entries((await fileFacts(path)).used)).toEqual([[name, times]]);
  }
});
