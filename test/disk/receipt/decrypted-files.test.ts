import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, it } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import { decryptNeeded } from '../../../src/disk/receipt/decrypted-files.js';
import { noAccess, type StateAccess } from '../../../src/disk/state/state-access.js';
import type { ReceiptInput, Receipt } from '../../../src/disk/receipt/receipt.js';
import { ageKeys, encryptedFile } from '../../support/age-keys.js';
import { writtenReceipt } from '../../support/laid-receipt.js';
import { scratchFolder } from '../../support/scratch.js';

const [holder, other] = ['auth/kubeconfig.age', 'auth/other.age'];
const sha256 = 'a'.repeat(64);

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
  mkdirSync(join(folder, 'auth'));
  for (const path of [holder, other, 'worker.ign.age', 'master.ign.age'])
    writeFileSync(join(folder, path), encryptedFile);
});

const keyed = (path: string, keyedBy: string): ReceiptInput => ({
  path,
  bytes: 1,
  hmacSha256: sha256,
  keyedBy,
});

/** Access with this identity; `asked` counts the requests for keys. */
function having(identity: string): { readonly access: StateAccess; readonly calls: () => number } {
  let calls = 0;
  const keys: StateAccess['keys'] = () => {
    calls += 1;
    return Promise.resolve(success({ identities: [identity], passphrases: [] }));
  };
  return { access: { ...noAccess, keys }, calls: () => calls };
}

/** The text of each file that was decrypted for a receipt, by path. */
async function openedFor(
  parts: Partial<Receipt>,
  access = having(ageKeys.ours.identity).access,
): Promise<object> {
  const opened = await decryptNeeded(folder, writtenReceipt(folder, parts), access);
  return Object.fromEntries([...opened].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
}

it('decrypts only the key file of input hashes, once', async () => {
  const { access, calls } = having(ageKeys.ours.identity);
  const inputs = [
    keyed('a.yaml', holder),
    keyed('b.yaml', holder),
    { path: 'c.yaml', bytes: 1, sha256 },
    { path: 'd.yaml', absent: true as const },
  ];
  expect(await openedFor({ inputs }, access)).toEqual({ [holder]: '{}' });
  expect(calls()).toBe(1);
});

it('decrypts the encrypted config of an image', async () => {
  const medium = { config: { path: 'worker.ign', bytes: 1, sha256 }, urls: {}, kernelArguments: [] };
  expect(await openedFor({ inputs: [keyed('a.yaml', other)], medium })).toEqual({
    [other]: '{}',
    'worker.ign.age': '{}',
  });
});

it('skips the config of an image from another folder', async () => {
  writeFileSync(join(folder, 'undefined.age'), encryptedFile);
  expect(
    await openedFor({ medium: { config: { bytes: 1, sha256 }, urls: {}, kernelArguments: [] } }),
  ).toEqual({});
});

it('skips plain and missing files', async () => {
  writeFileSync(join(folder, holder), 'plain');
  const inputs = [keyed('a.yaml', holder), keyed('b.yaml', 'auth/missing.age')];
  const { access, calls } = having(ageKeys.ours.identity);
  expect([await openedFor({ inputs }, access), calls()]).toEqual([{}, 0]);
});

it('skips files without an identity', async () => {
  const inputs = [keyed('a.yaml', holder)];
  expect(await openedFor({ inputs }, having(ageKeys.others.identity).access)).toEqual({});
  expect(await openedFor({ inputs }, noAccess)).toEqual({});
  const keys: StateAccess['keys'] = () =>
    Promise.resolve(failure({ code: 'state/identity', severity: 'error', message: 'as it is' }));
  expect(await openedFor({ inputs }, { ...noAccess, keys })).toEqual({});
});
