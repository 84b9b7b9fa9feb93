import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { sno } from '../../support/command.js';
import { snoHere } from '../../support/in-process.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';

/** The least number of sites for which threads are started. */
const sites = 17;

/** The value in the table that `validate` refuses, of two sites. */
const wrong = 'eighteen';

function tableOf(mtuOf: (site: number) => string): string {
  const rows = Array.from({ length: sites }, (_, site) =>
    [
      `site-${site}`,
      `10.1.${site}.0/24`,
      `10.1.${site}.10`,
      `10.1.${site}.1`,
      `52:54:00:00:02:${site + 10}`,
    ].join(),
  );
  const lines = rows.map((row, site) => `${row},${mtuOf(site)}`);
  return ['name,machineNetwork,ip,gateway,mac,mtu', ...lines, ''].join('\n');
}

describe(`a fleet of ${sites} sites`, () => {
  let fleet = '';
  beforeAll(() => {
    fleet = join(scratchFolder(), 'fleet');
    for (const path of ['base', 'fleet.yaml'])
      cpSync(join('fixtures/fleet', path), join(fleet, path), { recursive: true });
    const config = join(fleet, 'base/sno-config.yaml');
    writeFileSync(config, `${readFileSync(config, 'utf8')}certificates:\n  keyAlgorithm: ECDSA-P256\n`);
    writeFileSync(
      join(fleet, 'sites.csv'),
      tableOf(() => ''),
    );
    const git = (...args: readonly string[]): unknown =>
      spawnSync('git', ['-C', fleet, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'sites');
    writeFileSync(
      join(fleet, 'sites.csv'),
      tableOf((site) => (site % 3 === 0 ? '9000' : '')),
    );
  });

  /** Output of a command, which is the same without threads and with two. */
  async function printed(args: readonly string[]): Promise<string> {
    const one = await snoHere([...args, '--jobs', '1'], { cwd: fleet });
    expect(await snoHere([...args, '--jobs', '2'], { cwd: fleet })).toEqual(one);
    return JSON.stringify(one);
  }

  it('has the same problems, each at its row, in processes', () => {
    writeFileSync(
      join(fleet, 'sites.csv'),
      tableOf((site) => (site === 4 || site === 15 ? wrong : '')),
    );
    const [one, three] = ['1', '3'].map((jobs) => sno(['fleet', 'validate', '--jobs', jobs], { cwd: fleet }));
    writeFileSync(
      join(fleet, 'sites.csv'),
      tableOf((site) => (site % 3 === 0 ? '9000' : '')),
    );
    expect(three).toEqual(one);
    expect(one?.stderr).toMatch(/sites\.csv:6:57 [^]*sites\.csv:17:61 /);
  });

  it('has the same tree', async () => {
    const out = scratchFolder();
    const golden = async (jobs: string): Promise<Readonly<Record<string, string>>> => {
      const tree = join(out, jobs);
      const { code, stderr } = await snoHere([
        ...['fleet', 'golden', '--dir', fleet, '--out', tree, '--jobs', jobs],
      ]);
      expect([code, stderr]).toEqual([0, '']);
      return readTree(tree);
    };
    const tree = await golden('1');
    expect(await golden('2')).toEqual(tree);
    expect(Object.keys(tree).length).toBeGreaterThan(100);
  });

  it('differs in the same from a revision of Git', async () => {
    const told = await printed(['fleet', 'diff', '--against', 'main', '--output', 'json']);
    expect(told).toContain('9000');
    expect(told).toContain('site-15');
  });

  describe('with outputs, of which some are gone or were edited', () => {
    const [gone, lacking, unreadable, edited] = ['site-0', 'site-2', 'site-7', 'site-11'];
    beforeAll(() => {
      const made = sno(['fleet', 'create', '--jobs', '2'], { cwd: fleet });
      expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/17 +made/)]);
      const out = join(fleet, 'out');
      cpSync(out, join(fleet, 'before'), { recursive: true });
      rmSync(join(out, gone), { recursive: true });
      rmSync(join(out, lacking, 'metadata.json'));
      writeFileSync(join(out, unreadable, 'worker.ign'), 'no JSON');
      const config = join(out, edited, 'bootstrap-in-place-for-live-iso.ign');
      writeFileSync(config, readFileSync(config, 'utf8').replace('"mode":420', '"mode":438'));
    });

    it('has the same certificates, and the same is told of outputs that are not there', async () => {
      const told = await printed(['fleet', 'certs']);
      expect(told).toContain('15 sites');
      expect(told).toContain(`(1 site: ${gone})`);
    });

    it('has the same trees to read', async () => {
      const rendered = async (jobs: string) => {
        const out = join(scratchFolder(), jobs);
        const { code, stderr } = await snoHere(
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

    it('differs in the same from other outputs', async () => {
      const told = await printed(['fleet', 'diff', 'before', 'out', '--output', 'json']);
      expect(told).toMatch(/fleet\/output-gone[^]*site-2[^]*fleet\/output-unreadable[^]*site-7/);
      expect(told).toContain('0666');
    });

    it('differs in the same from what it would be made as now', async () => {
      writeFileSync(
        join(fleet, 'sites.csv'),
        tableOf((site) => (site % 4 === 0 ? '8900' : '')),
      );
      const told = await printed(['fleet', 'diff', 'out', fleet, '--output', 'json']);
      expect(told).toContain('8900');
      expect(told).toMatch(/site-3\b[^]*site-15\b[^]*site-4\b[^]*site-16\b/);
    });
  });

  test('what is no number of threads is told', async () => {
    for (const command of [
      ['validate'],
      ['golden', '--out', 'tree'],
      ['diff', '--against', 'main'],
      ['certs'],
      ['render', 'inputs', '--out', 'tree'],
    ]) {
      const { code, stderr } = await snoHere(['fleet', ...command, '--jobs', '0'], { cwd: fleet });
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('--jobs is "0", expected a number of sites'),
      ]);
    }
  });
});
