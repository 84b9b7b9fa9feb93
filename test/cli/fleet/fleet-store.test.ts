import { expect, test } from 'vitest';

import { fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { snoInProcess } from '../../support/in-process.js';

const recipients = `recipients: [${ageKeys.ours.recipient}]\n`;

interface StatusResult {
  readonly problems: readonly { readonly code: string }[];
}

test.each([
  ['no recipients', '', ['--store', 's3://sites/a'], ['store/plain']],
  ['outputs that are not encrypted', recipients, ['--store', 's3://sites/a'], ['store/plain']],
  [
    'a wrong address and a wrong shard',
    `${recipients}encryptOutputs: true\n`,
    ['--store', 'sites', '--shard', '2/2'],
    ['store/shard', 'store/address'],
  ],
])('rejects %s with a store', async (_, more, args, codes) => {
  const dir = fleetFolder({ 'fleet.yaml': fleetText(more) });
  const { code, stdout } = await snoInProcess(['fleet', 'create', '--dir', dir, '--output', 'json', ...args]);
  const found = (JSON.parse(stdout) as StatusResult).problems.map((each) => each.code);
  // This machine may or may not have credentials for a store.
  expect([code, found.filter((each) => each !== 'store/credentials')]).toEqual([1, codes]);
});

test('a shard without a store is a slip of the pen', async () => {
  const { code, stderr } = await snoInProcess(['fleet', 'create', '--dir', fleetFolder(), '--shard', '0/2']);
  expect(code).toBe(2);
  expect(stderr).toContain('--shard requires --store');
});
