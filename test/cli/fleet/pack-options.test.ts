import { expect, test } from 'vitest';

import { fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { snoInProcess } from '../../support/in-process.js';

const variables = { AWS_ACCESS_KEY_ID: 'access', AWS_SECRET_ACCESS_KEY: 'secret' };
const encrypted = {
  'fleet.yaml': fleetText(`recipients: [${ageKeys.ours.recipient}]\nencryptOutputs: true\n`),
};
const store = ['--store', 's3://sites/spring'];

async function problems(args: readonly string[], dir: string): Promise<readonly string[]> {
  const { stdout } = await snoInProcess(['fleet', ...args, '--dir', dir, '--output', 'json'], { variables });
  const result = JSON.parse(stdout) as {
    readonly problems: readonly { readonly code: string; readonly message: string }[];
  };
  return result.problems.map(({ code, message }) => `${code}: ${message}`);
}

test('fleet pack rejects invalid options and plain outputs before it contacts the store', async () => {
  const odd = ['--shards', '0', '--recipient', ageKeys.ours.identity, '--index', 's3://'];
  expect(await problems(['pack', ...store, ...odd], fleetFolder(encrypted))).toEqual([
    'store/address: --index is not a valid bucket address',
    'pack/setting: a --recipient is an identity, which must stay secret: the recipient is its public key',
    'pack/setting: --shards is not a number of pods from 1 to 10000',
  ]);
  const plain = await problems(['pack', ...store, '--shards', '2'], fleetFolder());
  expect(plain.map((each) => each.split(':')[0])).toEqual(['store/plain']);
});

test('fleet create --packed requires a shard and the ID of the fleet', async () => {
  const dir = fleetFolder();
  const packed = ['create', ...store, '--packed'];
  for (const args of [packed, [...packed, '--shard', '0/2'], ['create', ...store, '--fleet-id', 'a']])
    expect((await problems(args, dir)).map((each) => each.split(':')[0])).toEqual(['usage/unknown-argument']);
  expect(await problems([...packed, '--shard', '0/2', '--fleet-id', 'a'], dir)).toEqual([
    'pack/setting: --fleet-id is not a fleet ID',
  ]);
});
