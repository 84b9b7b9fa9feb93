import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { ageKeys } from '../../support/age-keys.js';
import { sno, type CommandResult } from '../../support/command.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { buildTimeoutMs, hasGo, toolFolder } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { startedStore, type StartedStore } from './started-store.js';
import { expectLocalRunToMakeTheSame, stored, storedFleet } from './stored-fleet.js';

const url = 's3://sites/spring';
const variables = { SOURCE_DATE_EPOCH: String(Date.parse('2026-11-02T03:04:05Z') / 1000) };
const shards = 2;

interface CollectResult {
  readonly fleetId?: string;
  readonly uploaded?: number;
  readonly problems: readonly { readonly code: string; readonly sites: readonly string[] }[];
  readonly sites: readonly { readonly name: string; readonly result: string }[];
}

function resultOf({ stdout }: Pick<CommandResult, 'stdout'>): CollectResult {
  return JSON.parse(stdout) as CollectResult;
}

function codes(result: CommandResult): readonly string[] {
  return resultOf(result).problems.map(({ code }) => code);
}

function results(result: CommandResult): readonly string[] {
  return resultOf(result).sites.map(({ name, result: is }) => `${name} ${is}`);
}

interface Packer {
  readonly pack: (...more: readonly string[]) => CommandResult;
  readonly shard: (index: number, fleetId?: string, identity?: string) => CommandResult;
  readonly collect: () => CommandResult;
}

/** Commands of a fleet. Shards run like pods: without its folder and its environment. */
function packer(store: StartedStore, { dir, identity }: ReturnType<typeof storedFleet>, of = url): Packer {
  const run = (args: readonly string[]): CommandResult =>
    sno(['fleet', ...args, '--store', of, '--output', 'json'], {
      variables: { ...variables, ...store.variables },
    });
  let packed: string | undefined;
  return {
    pack: (...more) => {
      const result = run(['pack', '--dir', dir, '--shards', String(shards), ...more]);
      packed = resultOf(result).fleetId ?? packed;
      return result;
    },
    shard: (index, fleetId = packed ?? '', key = identity) => {
      const own = ['--shard', `${index}/${shards}`, '--fleet-id', fleetId, '--identity', key];
      const empty = scratchFolder();
      const args = ['fleet', 'create', '--packed', ...own, '--store', of, '--dir', empty, '--output', 'json'];
      return sno(args, { variables: { ...store.variables, TMPDIR: empty } });
    },
    collect: () => run(['collect', '--dir', dir]),
  };
}

/** Names and contents of all objects. */
function contentsOf({ bucket }: StartedStore): string {
  const files = readdirSync(bucket, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files
    .map((each) => join(each.parentPath, each.name))
    .map((path) => path + readFileSync(path, 'latin1'))
    .join('\n');
}

describeWith([hasGo ? 'bash' : 'go'], 'packs of a fleet in a real S3 store (versitygw)', () => {
  beforeAll(async () => {
    await toolFolder('versitygw');
    await toolFolder('age');
  }, buildTimeoutMs);

  test('pods make the sites of a local run from their packs alone, and a changed fleet is packed and made again', async () => {
    const store = await startedStore();
    const fleet = storedFleet(3);
    const { pack, shard, collect } = packer(store, fleet);
    const first = pack();
    expect([first.code, first.stderr, resultOf(first).uploaded]).toEqual([0, '', 2]);
    const pull = readFileSync(join(fleet.dir, 'base/install-config.yaml'), 'utf8');
    expect(pull).toContain('dGhyb3dhd2F5OnRocm93YXdheQ==');
    expect(contentsOf(store)).not.toMatch(/dGhyb3dhd2F5OnRocm93YXdheQ==|192\.168\.126|site-0/);

    expect([0, 1].flatMap((index) => results(shard(index)))).toEqual([
      'site-0 made',
      'site-2 made',
      'site-1 made',
    ]);
    expect(results(collect())).toEqual(['site-0 collected', 'site-1 collected', 'site-2 collected']);
    expect(sno(['fleet', 'status', '--dir', fleet.dir], { variables })).toMatchObject({ code: 0 });
    expect(resultOf(pack()).uploaded).toBe(0);
    await expectLocalRunToMakeTheSame(fleet, storedFleet(3).dir, variables);

    const table = join(fleet.dir, 'sites.csv');
    writeFileSync(table, readFileSync(table, 'utf8').replace('192.168.126.11', '192.168.126.77'));
    // The old pack makes the old site.
    expect(results(shard(1))).toEqual(['site-1 unchanged']);
    const stale = collect();
    expect([codes(stale), results(stale)]).toEqual([
      ['store/site-stale'],
      ['site-0 unchanged', 'site-1 stale', 'site-2 unchanged'],
    ]);
    const status = sno(['fleet', 'status', '--dir', fleet.dir], { variables });
    expect([status.code, status.stdout]).toMatchObject([1, /outdated: inputs changed: site-1\n/]);
    expect(resultOf(pack()).uploaded).toBe(1);
    expect([0, 1].flatMap((index) => results(shard(index)))).toEqual([
      'site-0 unchanged',
      'site-2 unchanged',
      'site-1 made',
    ]);
    expect(results(collect())).toEqual(['site-0 unchanged', 'site-1 collected', 'site-2 unchanged']);
  });

  test('pods reject packs of other fleets, and packs that they cannot decrypt', async () => {
    const store = await startedStore();
    const fleet = storedFleet(2);
    const { pack, shard } = packer(store, fleet);
    expect(codes(shard(0, 'ab'.repeat(16)))).toEqual(['pack/missing']);
    const own = join(scratchFolder(), 'pods.txt');
    writeFileSync(own, `${ageKeys.others.identity}\n`);
    expect(pack('--recipient', ageKeys.others.recipient).code).toBe(0);
    expect(codes(shard(0, 'ab'.repeat(16), own))).toEqual(['pack/fleet']);
    expect(codes(shard(0))).toEqual(['pack/key']);
    // Pods with such an identity can create sites, but not read existing ones.
    expect(results(shard(0, undefined, own))).toEqual(['site-0 made']);
    expect(stored(store)).toEqual(['site-0']);
  });

  test('finds a value of another fleet, and keeps its earlier packs', async () => {
    const store = await startedStore();
    const [north, south] = [storedFleet(2), storedFleet(2)];
    expect(packer(store, north).pack().code).toBe(0);
    const other = packer(store, south, 's3://sites/autumn');
    expect(codes(other.pack())).toEqual(['pack/index']);
    const found = other.pack('--identity', south.identity);
    expect([found.code, new Set(codes(found))]).toEqual([1, new Set(['pack/duplicate'])]);
    expect(existsSync(join(store.bucket, 'autumn/packs'))).toBe(false);
    expect(other.pack('--no-index').code).toBe(0);
  });

  test('a killed run leaves the earlier packs current, and the next one completes', async () => {
    const store = await startedStore();
    const fleet = storedFleet(40);
    const { pack, shard } = packer(store, fleet);
    const folder = join(store.bucket, 'spring/packs');
    const count = (): number => (existsSync(folder) ? readdirSync(folder).length : 0);
    const before = pack();
    expect([before.code, count()]).toEqual([0, 3]);
    const list = readFileSync(join(folder, 'current.json'), 'utf8');
    writeFileSync(join(fleet.dir, 'base/note.txt'), 'another file of all shards');
    const command = ['fleet', 'pack', '--dir', fleet.dir, '--store', url, '--shards', '40'];
    const child = spawn(process.execPath, [resolve('dist/cli.js'), ...command], {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...variables, ...store.variables },
      stdio: 'ignore',
    });
    await waitUntil('a pack is written', () => Promise.resolve(count() > 3 ? true : undefined), {
      pauseMs: 5,
      tries: 20_000,
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(readFileSync(join(folder, 'current.json'), 'utf8')).toBe(list);
    expect(results(shard(1))).toHaveLength(20);
    const after = pack();
    expect([after.code, resultOf(after).uploaded]).toEqual([0, 2]);
  });
});
