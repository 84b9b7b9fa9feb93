import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { sno } from '../../support/command.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';
import { widenedCode } from '../../support/young-space.js';

/** More than are looked at without threads. */
const sites = 20;

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

  /** What a command prints by one thread and by three, which is the same. */
  function printed(args: readonly string[], input = ''): string {
    const by = (jobs: string): unknown => sno([...args, '--jobs', jobs], { cwd: fleet, input });
    const [one, three] = [by('1'), by('3')];
    expect(three).toEqual(one);
    return JSON.stringify(three);
  }

  it('has the same problems, each at its row', () => {
    writeFileSync(
      join(fleet, 'sites.csv'),
      tableOf((site) => (site === 4 || site === 17 ? wrong : '')),
    );
    const told = printed(['fleet', 'validate', '--output', 'json']);
    writeFileSync(
      join(fleet, 'sites.csv'),
      tableOf((site) => (site % 3 === 0 ? '9000' : '')),
    );
    expect(told).toMatch(/sites\.csv[^]*site-4[^]*site-17/);
    expect(printed(['fleet', 'validate'])).toContain(`${sites} sites: no problems found`);
  });

  it('has the same tree', () => {
    const out = scratchFolder();
    const trees = ['1', '3'].map((jobs) => {
      const tree = join(out, jobs);
      const { code, stderr } = sno(['fleet', 'golden', '--dir', fleet, '--out', tree, '--jobs', jobs]);
      expect([code, stderr]).toEqual([0, '']);
      return readTree(tree);
    });
    expect(trees[1]).toEqual(trees[0]);
    expect(Object.keys(trees[1] ?? {}).length).toBeGreaterThan(100);
  });

  it('differs in the same from a revision of Git', () => {
    const told = printed(['fleet', 'diff', '--against', 'main', '--output', 'json']);
    expect(told).toContain('9000');
    expect(told).toContain('site-18');
  });

  it('keeps the room for young garbage while threads start', () => {
    const hook = join(scratchFolder(), 'hook.cjs');
    const megabytes = join(scratchFolder(), 'megabytes');
    // Much lives on when everything is done: what would widen the room then would have done so before.
    writeFileSync(
      hook,
      `${widenedCode}
       const told = () => require('node:fs').writeFileSync(${JSON.stringify(megabytes)}, String(widened()));
       if (require('node:worker_threads').isMainThread) process.on('exit', told);`,
    );
    for (const jobs of ['1', '3']) {
      const { code } = sno(['fleet', 'validate', '--jobs', jobs], {
        cwd: fleet,
        nodeArguments: ['--require', hook],
      });
      expect([code, Number(readFileSync(megabytes, 'utf8')) <= 4]).toEqual([0, true]);
    }
  });

  describe('with outputs, of which some are gone or were edited', () => {
    const [gone, lacking, unreadable, edited] = ['site-0', 'site-2', 'site-7', 'site-11'];
    beforeAll(() => {
      const made = sno(['fleet', 'create', '--jobs', '2'], { cwd: fleet });
      expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/20 +made/)]);
      const out = join(fleet, 'out');
      cpSync(out, join(fleet, 'before'), { recursive: true });
      rmSync(join(out, gone), { recursive: true });
      rmSync(join(out, lacking, 'metadata.json'));
      writeFileSync(join(out, unreadable, 'worker.ign'), 'no JSON');
      const config = join(out, edited, 'bootstrap-in-place-for-live-iso.ign');
      writeFileSync(config, readFileSync(config, 'utf8').replace('"mode":420', '"mode":438'));
    });

    it('has the same certificates, and the same is told of outputs that are not there', () => {
      const told = printed(['fleet', 'certs']);
      expect(told).toContain('18 sites');
      expect(told).toContain(`(1 site: ${gone})`);
    });

    it('has the same trees to read', () => {
      const trees = ['1', '3'].map((jobs) => {
        const tree = join(scratchFolder(), jobs);
        const { code, stderr } = sno(['fleet', 'render', 'ignition', '--out', tree, '--jobs', jobs], {
          cwd: fleet,
        });
        expect(code).toBe(1);
        return { stderr, tree: readTree(tree) };
      });
      expect(trees[1]).toEqual(trees[0]);
      expect(trees[1]?.stderr).toMatch(/not-made[^]*site-0\b[^]*output-unreadable[^]*site-7\b/);
      const index = trees[1]?.tree[`${edited}/bootstrap-in-place-for-live-iso.ign.d/index.txt`];
      expect(index).toMatch(/^0666 /m);
    });

    it('differs in the same from other outputs', () => {
      const told = printed(['fleet', 'diff', 'before', 'out', '--output', 'json']);
      expect(told).toMatch(/fleet\/output-gone[^]*site-2[^]*fleet\/output-unreadable[^]*site-7/);
      expect(told).toContain('0666');
    });

    it('differs in the same from what it would be made as now', () => {
      writeFileSync(
        join(fleet, 'sites.csv'),
        tableOf((site) => (site % 4 === 0 ? '8900' : '')),
      );
      const told = printed(['fleet', 'diff', 'out', fleet, '--output', 'json']);
      expect(told).toContain('8900');
      expect(told).toMatch(/site-3\b[^]*site-18\b[^]*site-4\b[^]*site-16\b/);
      expect(printed(['fleet', 'diff', fleet, 'out'])).toContain('8900');
    });
  });

  test('what is no number of threads is told', () => {
    for (const command of [
      ['validate'],
      ['golden', '--out', 'tree'],
      ['diff', '--against', 'main'],
      ['certs'],
      ['render', 'inputs', '--out', 'tree'],
    ]) {
      const { code, stderr } = sno(['fleet', ...command, '--jobs', '0'], { cwd: fleet });
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('--jobs is "0", expected a number of sites'),
      ]);
    }
  });
});
