import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { openFleet } from '../../src/fleet/table/read-fleet.js';
import { buildProgram } from '../../src/cli/program.js';
import { leafCommands } from '../support/leaf-commands.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';
import { fleetFolder, fleetText } from './files.js';

const files = {
  'fleet.yaml': fleetText('variables: {region: eu}\n'),
  'sites.csv': [
    'name,ip,hardware,region',
    'north-1,192.168.126.10,r750,eu',
    'north-2,192.168.126.11,xr8000,us',
    'south-1,192.168.126.12,r760,',
    'south-2,192.168.126.13,,us',
    '',
  ].join('\n'),
};

test.each([
  { where: ['hardware=r750'], want: ['north-1'] },
  { where: ['hardware=r7*'], want: ['north-1', 'south-1'] },
  { where: ['region=eu'], want: ['north-1', 'south-1'] },
  { where: ['hardware='], want: ['south-2'] },
  { where: ['hardware=*', 'region=us'], only: ['south-*'], want: ['south-2'] },
  {
    where: ['ip=192.168.126.1?'],
    want: 'no site has "192.168.126.1?" in the column "ip" = did you mean "192.168.126.10"?',
  },
  {
    where: ['region=eu'],
    only: ['south-2'],
    want: '--only and --where do not match any site of the table = --only takes site names, --where takes COLUMN=VALUE; "*" matches any characters',
  },
  {
    where: ['hardware=r751'],
    want: 'no site has "r751" in the column "hardware" = did you mean "r750"?',
  },
  {
    where: [],
    only: ['north-1', 'nort-2'],
    want: 'no site of the table is named "nort-2" = did you mean "north-2"?',
  },
  {
    where: [],
    only: ['west-*', 'south-1'],
    want: 'no site of the table matches "west-*" = write the name of a site of the table; "*" matches any characters',
  },
  { where: ['hardwar=r750'], want: '--where: the table has no column "hardwar" = did you mean "hardware"?' },
  {
    where: ['r750'],
    want: '--where is not a condition COLUMN=VALUE = write COLUMN=VALUE, for example --where hardware=r750,region=eu',
  },
])('$where and --only $only select $want', ({ where, only = [], want }) => {
  const opened = openFleet(fleetFolder(files), { where, only });
  const found = opened.ok
    ? opened.value.rows.map(({ name }) => name)
    : opened.problems.map(({ message, hint = '' }) => `${message} = ${hint}`).join();
  expect(found).toEqual(want);
});

test('every command that has --only has --where', () => {
  const missing = leafCommands(buildProgram(() => undefined)).filter(({ options }) => {
    const names = options.map(({ long }) => long);
    return names.includes('--only') !== names.includes('--where');
  });
  expect(missing.map((command) => command.name())).toEqual([]);
});

describe('--where', () => {
  it('is a usage error for a column that does not exist', async () => {
    const dir = fleetFolder(files);
    for (const command of ['validate', 'status', 'create']) {
      const { code, stderr } = await snoInProcess(['fleet', command, '--dir', dir, '--where', 'regin=eu']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean "region"?')]);
    }
  });

  it('selects the sites of a comparison of fleets and of golden trees', async () => {
    const before = fleetFolder(files);
    const after = join(scratchFolder(), 'fleet');
    cpSync(before, after, { recursive: true });
    writeFileSync(
      join(after, 'sites.csv'),
      files['sites.csv'].replaceAll('192.168.126.1', '192.168.126.2').replace('xr8000,us', 'r750,us'),
    );
    const compared = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout, stderr } = await snoInProcess(['fleet', 'diff', ...args, '--output', 'json']);
      expect(stderr).toBe('');
      const { compared: count, groups } = JSON.parse(stdout) as {
        readonly compared: number;
        readonly groups: readonly { readonly sites: readonly string[] }[];
      };
      return [count, [...new Set(groups.flatMap(({ sites }) => sites))]];
    };
    expect(await compared(before, after, '--where', 'hardware=r750')).toEqual([2, ['north-1', 'north-2']]);
    const trees = [before, after].map((dir) => join(dir, 'golden'));
    for (const [index, dir] of [before, after].entries()) {
      const { code } = await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', trees[index] ?? '']);
      expect(code).toBe(0);
    }
    const [one = '', other = ''] = trees;
    expect(await compared(one, other, '--where', 'ip=192.168.126.20')).toEqual([1, ['north-1']]);
  });
});
