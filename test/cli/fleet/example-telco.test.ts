import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { snoInProcess } from '../../support/in-process.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';

const example = 'examples/fleet-telco';
const [head = '', ...rows] = readFileSync(join(example, 'sites.csv'), 'utf8').trimEnd().split('\n');

/** The example with the first sites of each region. Ten of them have all kinds of hardware. */
function fewSites(perRegion: number): string {
  const dir = join(scratchFolder(), 'fleet');
  cpSync(example, dir, { recursive: true });
  const few = ['north', 'south'].flatMap((region) =>
    rows.filter((row) => row.startsWith(region)).slice(0, perRegion),
  );
  writeFileSync(join(dir, 'sites.csv'), [head, ...few, ''].join('\n'));
  return dir;
}

async function golden(dir: string): Promise<string> {
  const out = join(scratchFolder(), 'golden');
  const { code, stderr } = await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', out]);
  expect([code, stderr]).toEqual([0, '']);
  return out;
}

describe('examples/fleet-telco', () => {
  test('has 300 sites without problems, each with its own values', async () => {
    const cells = rows.map((row) => row.split(','));
    expect(cells).toHaveLength(300);
    for (const name of ['name', 'network', 'ip', 'gateway', 'vlan', 'bmc']) {
      const column = head.split(',').indexOf(name);
      expect(new Set(cells.map((row) => row[column])).size, name).toBe(300);
    }
    const { code, stdout, stderr } = await snoInProcess(['fleet', 'validate', '--dir', example]);
    expect([code, stdout, stderr]).toEqual([0, '300 sites: no problems found\n', '']);
  });

  test('has a golden tree whose files do not depend on the number of sites', async () => {
    const [ten, twenty] = [fewSites(10), fewSites(20)];
    const [tree, other] = [await golden(ten), await golden(twenty)];
    const files = Object.keys(readTree(tree));
    expect(Object.keys(readTree(other))).toEqual(files);
    const own = files.filter((path) => /^(?:groups|sites)\//.test(path));
    expect([...new Set(own.map((path) => path.split('/', 2).join('/')))].toSorted()).toEqual([
      'groups/north-007',
      'groups/north-010',
      'groups/south-001',
    ]);
    expect(files).toContain(
      'all/bootstrap-in-place-for-live-iso.ign.d/etc/NetworkManager/system-connections/bond0.${vlan}.nmconnection',
    );

    const check = ['fleet', 'golden', '--dir', ten, '--out', tree, '--check'];
    expect(await snoInProcess(check)).toMatchObject({ code: 0 });
    const variables = join(ten, 'classes/medium/variables.yaml');
    writeFileSync(variables, readFileSync(variables, 'utf8').replace('hugepages: 16', 'hugepages: 20'));
    const { code, stdout } = await snoInProcess(check);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^6 sites: north-007, north-008, north-009, south-007, south-008 and 1 more\n/);
    expect(stdout).toMatch(/^ {4}spec\.hugepages\.pages\[0\]\.count: 16 → 20$/m);
    expect(stdout).toMatch(/^2 differences in 6 of 20 sites: /m);
  });
});
