import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { snoInProcess } from '../../support/in-process.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';
import { edited, removedSite, laidFleet, makeOutputs, printed, sites, tableOf } from './laid-fleet.js';

describe(`a fleet of ${sites} sites, without threads and with two`, () => {
  let fleet = '';
  beforeAll(() => {
    fleet = laidFleet();
    makeOutputs(fleet);
  });

  it('differs in the same from a revision of Git', async () => {
    const shown = await printed(fleet, ['fleet', 'diff', '--against', 'main', '--output', 'json']);
    expect(shown).toContain('9000');
    expect(shown).toContain('site-15');
  });

  it('has the same certificates and the same problems for missing outputs', async () => {
    const shown = await printed(fleet, ['fleet', 'certs']);
    expect(shown).toContain('15 sites');
    expect(shown).toContain(`(1 site: ${removedSite})`);
  });

  it('differs in the same from other outputs', async () => {
    const shown = await printed(fleet, ['fleet', 'diff', 'before', 'out', '--output', 'json']);
    expect(shown).toMatch(/fleet\/output-gone[^]*site-2[^]*fleet\/output-unreadable[^]*site-7/);
    expect(shown).toContain('0666');
  });

  it('has the same tree', async () => {
    const out = scratchFolder();
    const golden = async (jobs: string): Promise<Readonly<Record<string, string>>> => {
      const tree = join(out, jobs);
      const { code, stderr } = await snoInProcess([
        ...['fleet', 'golden', '--dir', fleet, '--out', tree, '--jobs', jobs],
      ]);
      expect([code, stderr]).toEqual([0, '']);
      return readTree(tree);
    };
    const tree = await golden('1');
    expect(await golden('2')).toEqual(tree);
    expect(Object.keys(tree).length).toBeGreaterThan(100);
  });

  it('has the same trees to read', async () => {
    const rendered = async (jobs: string) => {
      const out = join(scratchFolder(), jobs);
      const { code, stderr } = await snoInProcess(
        ['fleet', 'render', 'ignition', '--out', out, '--jobs', jobs],
        {
          cwd: fleet,
        },
      );
      expect(code).toBe(1);
      return { stderr, tree: readTree(out) };
    };
    const one = await rendered('1');
    expect(await rendered('2')).toEqual(one);
    expect(one.stderr).toMatch(/not-made[^]*site-0\b[^]*output-unreadable[^]*site-7\b/);
    const index = one.tree[`${edited}/bootstrap-in-place-for-live-iso.ign.d/index.txt`];
    expect(index).toMatch(/^0666 /m);
  });

  it('has the same differences from a new run', async () => {
    writeFileSync(
      join(fleet, 'sites.csv'),
      tableOf((site) => (site % 4 === 0 ? '8900' : '')),
    );
    const shown = await printed(fleet, ['fleet', 'diff', 'out', fleet, '--output', 'json']);
    expect(shown).toContain('8900');
    expect(shown).toMatch(/site-3\b[^]*site-15\b[^]*site-4\b[^]*site-16\b/);
  });
});
