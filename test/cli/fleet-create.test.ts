import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { openFleet } from '../../src/fleet/table/read-fleet.js';
import { withFleetVariables } from '../../src/fleet/table/check-fleet.js';
import { siteFiles } from '../../src/fleet/table/site-files.js';
import { fleetFolder } from '../fleet/files.js';
import { sno, snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

/** Certificates of fixtures/fleet expire thirty days later. A fixed clock keeps them valid. */
const issued = '2026-11-02T03:04:05Z';
const variables = { SOURCE_DATE_EPOCH: String(Date.parse(issued) / 1000), PRESENT: issued };
const nodeArguments = ['--import', resolve('test/support/at-present.mjs')];

/** The part of `--output json` about sites. */
interface CreateResult {
  readonly problems: readonly { readonly code: string; readonly sites: readonly string[] }[];
  readonly sites: readonly Readonly<Record<string, unknown>>[];
}

function resultOf(stdout: string): CreateResult {
  return JSON.parse(stdout) as CreateResult;
}

/** Prints to stderr when a thread starts. */
const countsThreads = `const threads = require('node:worker_threads');
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    require('node:fs').writeSync(2, 'a thread\\n');
  }
};
require('node:module').syncBuiltinESMExports();
`;

describe('fleet create', () => {
  let cwd = '';
  const fleet = (): string => join(cwd, 'fleet');
  const fleetSno = (...args: string[]): ReturnType<typeof sno> =>
    sno(['fleet', ...args, '--dir', 'fleet'], { cwd, variables, nodeArguments });

  beforeAll(async () => {
    cwd = scratchFolder();
    cpSync('fixtures/fleet', fleet(), { recursive: true });
    // Stored keys save two seconds a site; the output is the same.
    const state = await throwawayState({ 'install-config.yaml': minimalInstallConfig });
    for (const name of ['north-1', 'north-2', 'south-1']) {
      mkdirSync(join(fleet(), 'out', name), { recursive: true, mode: 0o700 });
      writeFileSync(join(fleet(), 'out', name, '.sno-install-state.json'), state, { mode: 0o600 });
    }
  });

  it('generates the fleet of docs/fleet-build.md, with the output in the docs', () => {
    const shown = /^```console\n(.*?)^```$/ms.exec(readFileSync('docs/fleet-build.md', 'utf8'))?.[1] ?? '';
    const lines = ['create', 'create', 'status'].map((command) => {
      const { code, stdout, stderr } = fleetSno(command);
      expect([code, stderr]).toEqual([0, '']);
      // Because of the stored keys, the sites count as existing.
      const printed = stdout.replace('updated (same keys)', 'created');
      return `$ sno-install fleet ${command} --dir fleet\n${printed}`;
    });
    expect(lines.join('')).toBe(shown);
    expect(Object.keys(snapshot(join(fleet(), 'out/north-1'))).toSorted()).toEqual([
      '.sno-install-site.json',
      '.sno-install-state.json',
      'auth/kubeadmin-password',
      'auth/kubeconfig',
      'bootstrap-in-place-for-live-iso.ign',
      'metadata.json',
      'receipt.json',
      'worker.ign',
    ]);
  });

  it('writes for a site what `create` does in a directory with its files and its state', () => {
    const opened = openFleet(fleet());
    if (!opened.ok) throw new Error('the fleet is unsound');
    const { fleet: read, rows, files } = opened.value;
    const [row] = rows.slice(2);
    if (row === undefined) throw new Error('there is no third site');
    const { inputs } = siteFiles(files, withFleetVariables(row, read));
    const alone = scratchFolder();
    for (const file of ['install-config.yaml', 'sno-config.yaml']) {
      const found = inputs.read(file);
      if (found.kind === 'file') writeFileSync(join(alone, file), found.bytes);
    }
    const state = '.sno-install-state.json';
    cpSync(join(fleet(), 'out/south-1', state), join(alone, state));

    const made = sno(['create', 'single-node-ignition-config', '--dir', alone], { variables, nodeArguments });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const {
      '.sno-install-site.json': record,
      [state]: kept,
      ...outputs
    } = snapshot(join(fleet(), 'out/south-1'));
    expect([record, kept].every((text) => text?.startsWith('600 '))).toBe(true);
    expect(snapshot(alone)).toMatchObject(outputs);
  });

  it('generates changed sites despite problems of others, and reports both', () => {
    const before = snapshot(join(fleet(), 'out'));
    const times = statSync(join(fleet(), 'out/north-1/receipt.json')).mtimeMs;
    const table = join(fleet(), 'sites.csv');
    const sites = readFileSync(table, 'utf8');
    writeFileSync(table, sites.replace('south-1,10.2.1.0/24,10.2.1.10', 'south-1,10.2.1.0/24,10.3.1.10'));
    appendFileSync(join(fleet(), 'out/north-2/worker.ign'), ' ');

    const stale = fleetSno('status', '--output', 'json');
    expect([
      stale.code,
      resultOf(stale.stdout).sites.map(({ status, reason, path }) => [status, reason, path]),
    ]).toEqual([
      1,
      [
        ['current', undefined, undefined],
        ['stale', 'output-changed', 'worker.ign'],
        ['stale', 'inputs-changed', undefined],
      ],
    ]);
    const made = fleetSno('create', '--output', 'json');
    const { sites: results, problems } = resultOf(made.stdout);
    expect([made.code, results.map(({ result }) => result)]).toEqual([1, ['unchanged', 'failed', 'failed']]);
    expect(problems.map(({ code, sites: of }) => [code, of])).toEqual([
      ['dir/output-edited', ['north-2']],
      ['config/interface-address', ['south-1']],
    ]);
    expect(statSync(join(fleet(), 'out/north-1/receipt.json')).mtimeMs).toBe(times);
    const failed = fleetSno('status').stdout;
    expect(failed).toContain('    1  creation failed (dir/output-edited): north-2\n');

    writeFileSync(table, sites);
    rmSync(join(fleet(), 'out/north-2/worker.ign'));
    expect(fleetSno('create').stdout).toMatch(/^ +1 {2}updated \(same keys\)\n +2 {2}unchanged/m);
    expect(snapshot(join(fleet(), 'out')), 'as if nothing had been').toEqual(before);
  });

  it('is stale if an earlier site now has its address, whichever site is checked', async () => {
    const table = join(fleet(), 'sites.csv');
    const sites = readFileSync(table, 'utf8');
    writeFileSync(table, sites.replace(/(?<=^north-1,.*)10\.1\.1\.10\b/m, '10.1.2.10'));
    const status = ['fleet', 'status', '--dir', fleet(), '--output', 'json', '--only', 'north-2'];
    const { code, stdout } = await snoInProcess(status);
    writeFileSync(table, sites);
    expect([code, resultOf(stdout).sites]).toMatchObject([
      1,
      [{ name: 'north-2', status: 'failed', problems: ['fleet/shared-value'] }],
    ]);
  });

  it('has the certificates that docs/fleet-build.md shows, and reports folders without a site', () => {
    const shown = /^<!-- run: certs -->\n\n```\n(.*?)…\n```$/ms.exec(
      readFileSync('docs/fleet-build.md', 'utf8'),
    )?.[1];
    const { code, stdout, stderr } = fleetSno('certs');
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n').slice(0, (shown ?? '').split('\n').length - 2);
    expect(['$ sno-install fleet certs --dir fleet', ...lines, ''].join('\n')).toBe(shown);
    expect(stdout.match(/^\d{4}-.*all 3 sites$/gm)).toHaveLength(3);
    expect(stdout).toMatch(/^72 certificates in 3 sites; first expiry: 2026-12-02T03:04:05Z/m);

    const [removed, changed] = ['north-1/worker.ign', 'south-1/auth/kubeconfig'].map((path) =>
      join(fleet(), 'out', path),
    );
    const kept = [removed, changed].map((path) => readFileSync(path ?? ''));
    rmSync(removed ?? '');
    appendFileSync(changed ?? '', '\n');
    const odd = fleetSno('certs', '--output', 'json');
    expect([odd.code, resultOf(odd.stdout).problems.map(({ code: each, sites }) => [each, sites])]).toEqual([
      1,
      [
        ['fleet/output-gone', ['north-1']],
        ['fleet/output-changed', ['south-1']],
      ],
    ]);
    expect(resultOf(odd.stdout).sites).toHaveLength(3);
    [removed, changed].forEach((path, index) => {
      writeFileSync(path ?? '', kept[index] ?? '', { mode: 0o600 });
    });
  });

  it('starts a thread per site to generate, and reports problems at the location in its files', () => {
    const [summary, counter] = [join(fleet(), 'out/fleet.json'), join(cwd, 'counter.cjs')];
    writeFileSync(counter, countsThreads);
    const before = readFileSync(summary);
    rmSync(summary);
    mkdirSync(summary);
    rmSync(join(fleet(), 'out/north-2/worker.ign'));
    const { code, stderr } = sno(['fleet', 'create', '--dir', 'fleet', '--jobs', '8'], {
      cwd,
      variables,
      nodeArguments: [...nodeArguments, '--require', counter],
    });
    rmSync(summary, { recursive: true });
    writeFileSync(summary, before);
    expect([code, stderr]).toEqual([
      3,
      `a thread
error[dir/not-writable]: cannot write fleet.json: it is a folder
  --> fleet/out/fleet.json
   = hint: free disk space or grant write permission, and run the command again

1 error
`,
    ]);
  });

  it('writes the changes of `fleet diff`, and keeps unchanged outputs', async () => {
    const compare = (...places: readonly string[]): Promise<CommandOutput> =>
      snoInProcess(['fleet', 'diff', ...places], { cwd, variables });
    expect(await compare('fleet/out', 'fleet')).toMatchObject({
      code: 0,
      stdout: 'No differences in 3 sites: fleet/out and fleet.\n',
    });
    cpSync(fleet(), join(cwd, 'changed'), { recursive: true });
    const table = join(cwd, 'changed/sites.csv');
    const rows = readFileSync(table, 'utf8').replace(
      'north-2,10.1.2.0/24,10.1.2.10',
      'north-2,10.1.2.0/24,10.1.2.20',
    );
    writeFileSync(table, `${rows}west-1,10.3.1.0/24,10.3.1.10,10.3.1.1,52:54:00:00:01:0d,\n`);
    const before = snapshot(join(cwd, 'changed'));
    const forecast = await compare('changed/out', 'changed');
    expect([forecast.code, forecast.stderr]).toEqual([1, '']);
    expect(forecast.stdout).toMatch(/^1 site: north-2$/m);
    expect(forecast.stdout).toMatch(/^added: 1 site: west-1$/m);
    expect(forecast.stdout).not.toMatch(/<key>|<time>|PRIVATE KEY/);
    expect(snapshot(join(cwd, 'changed'))).toEqual(before);
    rmSync(join(cwd, 'changed'), { recursive: true });
  });

  it('accepts a copied fleet as current', () => {
    cpSync(join(fleet(), 'out/north-1'), join(fleet(), 'out/north-1-copy'), { recursive: true });
    rmSync(join(fleet(), 'out/north-1'), { recursive: true });
    cpSync(join(fleet(), 'out/north-1-copy'), join(fleet(), 'out/north-1'), { recursive: true });
    const { stdout } = fleetSno('status');
    expect(stdout).toMatch(/^ +3 {2}up to date$/m);
    expect(stdout).toMatch(/Folders without a site in the table: north-1-copy\.\n$/);
  });
});

describe('a recipient of a fleet', () => {
  it('that is none is refused at its line', async () => {
    const dir = fleetFolder({
      'fleet.yaml':
        'apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\nrecipients:\n  - age1nobody\n',
    });
    for (const command of ['validate', 'create']) {
      const { code, stderr } = await snoInProcess(['fleet', command, '--dir', dir]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('error[state/recipient]: recipients[0] ')]);
      expect(stderr).toContain('fleet.yaml:5:5 (recipients[0])');
    }
  });
});

describe('the command line of fleet create', () => {
  it('--fail-fast starts no site after a failure', async () => {
    const dir = fleetFolder({ 'sites.csv': 'name,ip\nnorth-1,10.0.0.1\nnorth-2,192.168.126.11\n' });
    const args = ['fleet', 'create', '--dir', dir, '--jobs', '1', '--fail-fast', '--output', 'json'];
    const { code, stdout } = await snoInProcess(args);
    expect([code, resultOf(stdout).sites.map(({ result }) => result)]).toEqual([
      1,
      ['failed', 'not-started'],
    ]);
    expect(existsSync(join(dir, 'out/north-2'))).toBe(false);
  });

  it.each([
    { args: ['--jobs', '0'], says: '--jobs is "0", expected a number of parallel sites' },
    {
      args: ['--state', 'x'],
      says: '--state and --state-command are not supported for fleets: each site has its own state',
    },
    { args: ['--renew-before', 'soon'], says: '--renew-before is "soon", expected a duration' },
  ])('$args is refused', async ({ args, says }) => {
    const { code, stderr } = await snoInProcess(['fleet', 'create', '--dir', fleetFolder(), ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('outputs in the folder of the base are refused', async () => {
    const dir = fleetFolder({
      'fleet.yaml': 'apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\noutputs: base/out\n',
    });
    mkdirSync(join(dir, 'base/out'));
    const { code, stderr } = await snoInProcess(['fleet', 'create', '--dir', dir]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[fleet/path]: outputs overlaps base')]);
  });

  it('rejects an outputs path that is not a folder, with a hint', async () => {
    const dir = fleetFolder({ out: 'mine\n' });
    const { code, stderr } = await snoInProcess(['fleet', 'create', '--dir', dir]);
    expect([code, stderr]).toEqual([
      3,
      `error[dir/not-writable]: cannot create the directory ${dir}/out: it already exists
   = hint: free disk space or grant write permission, or set outputs in fleet.yaml to another directory

1 error
`,
    ]);
  });
});
