import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { contentsOf } from '../../../src/disk/keypool/pool-contents.js';
import { openPool, type PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import { decryptAge } from '../../../src/formats/age.js';
import { fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { sno } from '../../support/command.js';
import { addKit, freeIn, madePool, needFor, opening } from '../../support/made-kits.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { soundValue } from '../../support/sound-value.js';
import { buildTimeoutMs, toolFolder } from '../control-plane/support/tools.js';

const drawn = needFor(['tls/service-account']);
const killer = ['--import', resolve('test/support/kill-at.mjs')];

/** A fleet of which each site has one RSA key, and an identity beside it. */
function folder(): string {
  return fleetFolder({
    'fleet.yaml': fleetText(`recipients: [${ageKeys.ours.recipient}]\n`),
    'base/sno-config.yaml': snoConfigText(
      'hostname: ${name}\nnodeIP: ${ip}\ncertificates: { keyAlgorithm: ECDSA-P256 }\n',
    ),
    identity: ageKeys.ours.identity,
  });
}

/** Every file below a folder. */
function filesBelow(path: string): readonly string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function holdsPlainKeys(path: string): boolean {
  return filesBelow(path).some((file) => readFileSync(file, 'latin1').includes('PRIVATE KEY'));
}

describe('a kill at any moment', () => {
  it('of `fleet keys --fill` leaves whole kits, nothing plain, and a pool that is filled on', () => {
    const count = join(scratchFolder(), 'count');
    const fill = (dir: string, variables: Readonly<Record<string, string>>): ReturnType<typeof sno> =>
      sno(['fleet', 'keys', '--dir', dir, '--fill', '2'], { nodeArguments: killer, variables });
    expect(fill(folder(), { KILL_COUNT_FILE: count })).toMatchObject({ code: 0, stderr: '' });
    const calls = Number(readFileSync(count, 'utf8'));
    expect(calls).toBeGreaterThan(20);

    for (let killAt = 1; killAt <= calls; killAt += 3) {
      const dir = folder();
      expect(fill(dir, { KILL_AT: String(killAt) }).signal, `kill at change ${killAt}`).toBe('SIGKILL');
      expect(holdsPlainKeys(join(dir)), `kill at change ${killAt}`).toBe(false);

      expect(fill(dir, {})).toMatchObject({ code: 0, stderr: '' });
      const pool = soundValue(openPool(join(dir, 'keys')));
      expect([freeIn(pool), readdirSync(pool.drafts)], `kill at change ${killAt}`).toEqual([2, []]);
    }
  }, 300_000);

  it('of `fleet create` leaves a site that has the same keys when it is made again', async () => {
    const create = (dir: string, variables: Readonly<Record<string, string>>): ReturnType<typeof sno> =>
      sno(['fleet', 'create', '--dir', dir, '--jobs', '1', '--identity', join(dir, 'identity')], {
        nodeArguments: killer,
        variables,
      });
    const held = new Set<string>();
    for (let killAt = 1; killAt < 90; killAt += 8) {
      const dir = folder();
      const pool = madePool(dir);
      const kits = [await addKit(pool, drawn), await addKit(pool, drawn), await addKit(pool, drawn)];
      expect(create(dir, { KILL_AT: String(killAt) }).signal, `kill at change ${killAt}`).toBe('SIGKILL');
      const before = await keysOnTheirWay(pool);
      for (const site of before.keys()) held.add(site);
      expect(holdsPlainKeys(dir), `kill at change ${killAt}`).toBe(false);

      expect(create(dir, {}), `the run after a kill at change ${killAt}`).toMatchObject({ code: 0 });
      const keys = new Map<string, string>();
      for (const site of ['north-1', 'north-2']) keys.set(site, await stateKey(dir, site));
      for (const [site, key] of before) expect(keys.get(site)).toBe(key);
      const all = kits.flatMap((kit) => Object.values(kit.keys));
      expect(all).toEqual(expect.arrayContaining([...keys.values()]));
      expect(new Set(keys.values()).size).toBe(2);
      expect([freeIn(pool), contentsOf(pool)]).toMatchObject([1, { taking: [], given: 2, refused: 0 }]);
    }
    expect([...held].toSorted()).toEqual(['north-1', 'north-2']);
  }, 300_000);
});

/** The keys that sites took whose state is not written yet. */
async function keysOnTheirWay(pool: PoolFolder): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  for (const site of contentsOf(pool).taking) {
    for (const file of filesBelow(join(pool.taken, site))) {
      const opened = await decryptAge(readFileSync(file), opening);
      // While it is erased, it is zeros.
      if ('fault' in opened) continue;
      const kit = JSON.parse(Buffer.from(opened.bytes).toString('utf8')) as { keys: Record<string, string> };
      keys.set(site, Object.values(kit.keys)[0] ?? '');
    }
  }
  return keys;
}

/** The key that signs the tokens of a site, as its state has it. */
async function stateKey(dir: string, site: string): Promise<string> {
  const opened = await decryptAge(readFileSync(join(dir, 'out', site, '.sno-install-state.json')), opening);
  if ('fault' in opened) throw new Error('the state cannot be opened');
  const state = JSON.parse(Buffer.from(opened.bytes).toString('utf8')) as { draws: Record<string, string> };
  return state.draws[drawn.labels[0] ?? ''] ?? '';
}

it('no key goes to two sites, and none is lost, by many processes that are killed meanwhile', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/key-pool-stress.mjs', '120', '30'], {
    encoding: 'utf8',
  });
  const report = JSON.parse(stdout) as Record<string, unknown>;

  expect([status, report], stdout).toMatchObject([0, { ok: true, twice: 0, changed: 0, kits: 120 }]);
  expect(report['killed']).toBeGreaterThan(5);
}, 300_000);

describeWith(['go', 'openssl'], 'kits and real programs', () => {
  let tools = '';
  beforeAll(async () => {
    tools = await toolFolder('age');
  }, buildTimeoutMs);

  it('age opens a kit, and openssl finds sound keys in it', () => {
    const dir = folder();
    const env = { PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}` };
    const run = (program: string, args: readonly string[], input = ''): string => {
      const { status, stdout, stderr } = spawnSync(program, args, { env, input, encoding: 'utf8' });
      expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
      return stdout;
    };
    const other = join(dir, 'other');
    run(join(tools, 'age-keygen'), ['-o', other]);
    const recipients = [ageKeys.ours.recipient, run(join(tools, 'age-keygen'), ['-y', other]).trim()];
    writeFileSync(join(dir, 'fleet.yaml'), fleetText(`recipients: [${recipients.join(', ')}]\n`));
    expect(sno(['fleet', 'keys', '--dir', dir, '--fill', '2'])).toMatchObject({ code: 0, stderr: '' });

    const kits = filesBelow(join(dir, 'keys/free')).filter((file) => file.endsWith('.age'));
    const opened = kits.map((file) => run(join(tools, 'age'), ['-d', '-i', other, file]));
    expect(opened).toHaveLength(2);
    expect(opened).toEqual(
      kits.map((file) => run(join(tools, 'age'), ['-d', '-i', join(dir, 'identity'), file])),
    );
    for (const text of opened) {
      const { keys } = JSON.parse(text) as { keys: Record<string, string> };
      expect(Object.keys(keys)).toEqual(drawn.labels);
      for (const pem of Object.values(keys))
        expect(run('openssl', ['rsa', '-check', '-noout'], pem)).toContain('RSA key ok');
    }
  });
});
