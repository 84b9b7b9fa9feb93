import { expect, test } from 'vitest';

import { openFleet } from '../../../src/fleet/table/read-fleet.js';
import { parseShard } from '../../../src/cli/fleet/store/shards-option.js';
import { shardRows } from '../../../src/fleet/store/pack/shard-pack.js';
import { fleetFolder } from '../files.js';

test.each(['8/8', '-1/8', '1', '1/0', '1/x', '1/8/2', ''])('rejects "%s"', (text) => {
  expect(parseShard(text)).toMatchObject({ ok: false, problems: [{ code: 'store/shard' }] });
});

test('assigns each line of the table to one shard, for any selection', () => {
  const rows = Array.from({ length: 11 }, (_, index) => `site-${index},192.168.126.${index + 10}\n`);
  const dir = fleetFolder({ 'sites.csv': `name,ip\n${rows.join('')}` });
  const shards = (only: readonly string[]): readonly (readonly string[])[] => {
    const opened = openFleet(dir, { only });
    return ['0/3', '1/3', '2/3'].map((text) => {
      const shard = parseShard(text);
      if (!opened.ok || !shard.ok) throw new Error('neither can be wrong');
      return shardRows(opened.value, shard.value).map(({ name }) => name.slice(5));
    });
  };
  expect(shards([])).toEqual([
    ['0', '3', '6', '9'],
    ['1', '4', '7', '10'],
    ['2', '5', '8'],
  ]);
  expect(shards(['site-1*'])).toEqual([[], ['1', '10'], []]);
});
