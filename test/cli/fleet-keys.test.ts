import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as turn } from 'node:timers/promises';

import { describe, expect, it, test } from 'vitest';

import { freeKits } from '../../src/disk/keypool/free-kits.js';
import { needName } from '../../src/disk/keypool/key-kit.js';
import { contentsOf } from '../../src/disk/keypool/pool-contents.js';
import { openPool } from '../../src/disk/keypool/pool-folder.js';
import { drawingText } from '../../src/telling/drawing-text.js';
import { decryptAge } from '../../src/formats/age.js';
import { fleetFolder, fleetText } from '../fleet/files.js';
import { ageKeys } from '../support/age-keys.js';
import { sno } from '../support/command.js';
import { snoHere } from '../support/in-process.js';
import { addKit, chanceOf, freeIn, keysOf, madePool, needFor, opening } from '../support/made-kits.js';
import { snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { soundValue } from '../support/sound-value.js';

const recipients = `recipients: [${ageKeys.ours.recipient}]\n`;
/** One key of a site is RSA then, and drawn soon. */
const ecdsa = snoConfigText('hostname: ${name}\nnodeIP: ${ip}\ncertificates: { keyAlgorithm: ECDSA-P256 }\n');
const drawn = needFor(['tls/service-account']);

function folder(more = recipients): string {
  return fleetFolder({ 'fleet.yaml': fleetText(more), 'base/sno-config.yaml': ecdsa });
}

describe('fleet keys', () => {
  it('draws what the sites need, goes on where it was, and says what there is', async () => {
    const dir = folder();
    const keys = join(dir, 'keys');
    const fill = ['fleet', 'keys', '--dir', dir, '--fill'];

    expect(await snoHere([...fill, '--only', 'north-1'])).toEqual({
      code: 0,
      stdout: `Drew 1 key, for 1 site, into ${keys}.\n`,
      stderr: '',
    });
    expect((await snoHere([...fill, '--jobs', '2'])).stdout).toBe(`Drew 1 key, for 1 site, into ${keys}.\n`);
    expect((await snoHere(fill)).stdout).toBe(`${keys} holds that many keys already.\n`);
    expect((await snoHere([...fill, '2'])).stdout).toBe(`${keys} holds that many keys already.\n`);
    expect(await snoHere(['fleet', 'keys', '--dir', dir])).toEqual({
      code: 0,
      stdout: `${keys}: 2 keys, for 2 sites\n  1 RSA-2048 a site: for 2 sites\n  2 of 2 sites of the table have none yet\n`,
      stderr: '',
    });

    const site = await chanceOf(soundValue(openPool(keys)), 'north-2');
    await keysOf(site, ['tls/service-account']);
    expect(site.counts()).toEqual({ pooled: 1, drawn: 0 });
    const { stdout } = await snoHere(['fleet', 'keys', '--dir', dir, '--output', 'json']);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      problems: [],
      pool: keys,
      keys: 1,
      kits: 1,
      needs: [{ kinds: { 'RSA-2048': 1 }, approved: false, kits: 1 }],
      sites: [
        { name: 'north-1', served: false },
        { name: 'north-2', served: true },
      ],
      taking: ['north-2'],
      given: 1,
      refused: 0,
    });
  });

  it('takes a pool apart for machines that share no folder, elsewhere than in the folder of the fleet too', async () => {
    const dir = folder();
    const pool = join(scratchFolder(), 'pool');
    writeFileSync(join(dir, 'fleet.yaml'), fleetText(`${recipients}keys: ${pool}\n`));
    await snoHere(['fleet', 'keys', '--dir', dir, '--fill', '--only', 'north-1']);
    await addKit(soundValue(openPool(pool)), drawn);

    const { stdout } = await snoHere(['fleet', 'keys', '--dir', dir, '--split', '2']);

    expect(stdout).toBe(
      `${pool}-1: keys of 1 site\n${pool}-2: keys of 1 site\n` +
        'Carry each to its machine, once: a part that is copied to two gives keys twice.\n',
    );
    const left = await snoHere(['fleet', 'keys', '--dir', dir]);
    expect(left.stdout.split('\n')[0]).toBe(`${pool}: 0 keys, for 0 sites`);
  });

  it('refuses a copy until it is adopted', async () => {
    const dir = folder();
    const keys = ['fleet', 'keys', '--dir', dir];
    expect((await snoHere(keys)).stderr).toContain('error[fleet/keys-missing]');
    madePool(dir);
    renameSync(join(dir, 'keys'), join(dir, 'backup'));
    cpSync(join(dir, 'backup'), join(dir, 'keys'), { recursive: true });

    expect((await snoHere(keys)).stderr).toContain('error[fleet/keys-copied]');
    expect((await snoHere([...keys, '--split', '2'])).stderr).toContain('error[fleet/keys-copied]');
    expect((await snoHere([...keys, '--adopt'])).code).toBe(0);
    expect((await snoHere(keys)).code).toBe(0);
  });

  test.each([
    { name: 'no recipient', more: '', code: 'state/no-recipients', at: 'fleet.yaml' },
    {
      name: 'an identity in the place of a recipient',
      more: `recipients:\n  - ${ageKeys.ours.identity}\n`,
      code: 'state/recipient',
      at: 'fleet.yaml:5:5 (recipients[0])',
    },
    {
      name: 'a site with a problem',
      more: recipients,
      table: 'name,ip\nn,10.0.0.1\n',
      code: 'config/node-ip',
      at: 'sites.csv:2:3',
    },
  ])('draws nothing with $name', async ({ more, table, code, at }) => {
    const dir = folder(more);
    if (table !== undefined) writeFileSync(join(dir, 'sites.csv'), table);

    const { code: exit, stderr } = await snoHere(['fleet', 'keys', '--dir', dir, '--fill']);

    expect([exit, stderr]).toEqual([1, expect.stringContaining(`error[${code}]`)]);
    expect(stderr).toContain(at);
    expect(stderr).not.toContain('AGE-SECRET-KEY');
    expect(readdirSync(dir)).not.toContain('keys');
  });

  it('is one thing at a time', () => {
    const { code, stderr } = sno(['fleet', 'keys', '--fill', '--adopt']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be used with option '--adopt'")]);
  });

  it('keeps what was drawn when it is ended, and goes on', async () => {
    const dir = folder();
    const free = join(dir, 'keys/free');
    const child = spawn(process.execPath, ['dist/cli.js', 'fleet', 'keys', '--dir', dir, '--fill', '1000'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const ended = once(child, 'exit');
    while (child.exitCode === null && kitsBelow(free) === 0) await turn(20);
    child.kill('SIGINT');

    expect(await ended).toEqual([130, null]);
    expect(await said).toMatch(/^sno-install: interrupted; drew \d+ keys?, for \d+ sites?, into /);
    const pool = soundValue(openPool(join(dir, 'keys')));
    const kept = freeIn(pool);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(1000);
    await snoHere(['fleet', 'keys', '--dir', dir, '--only', 'north-1', '--fill', String(kept + 1)]);
    expect(freeIn(pool)).toBe(kept + 1);
  });

  it('gives `fleet create` the keys of its sites, and then has them no more', async () => {
    const dir = folder();
    const pool = madePool(dir);
    const kits = [await addKit(pool, drawn), await addKit(pool, drawn), await addKit(pool, drawn)];
    const identity = join(dir, 'identity');
    writeFileSync(identity, ageKeys.ours.identity, { mode: 0o600 });
    const create = ['fleet', 'create', '--dir', dir, '--jobs', '1'];

    const closed = sno([...create, '--only', 'north-1']);
    expect([closed.code, closed.stderr]).toEqual([0, expect.stringContaining('warning[fleet/keys-closed]')]);
    expect(freeIn(pool)).toBe(3);
    rmSync(join(dir, 'out'), { recursive: true });
    expect(sno([...create, '--identity', identity])).toMatchObject({ code: 0, stderr: '' });

    const keys = await Promise.all(['north-1', 'north-2'].map((site) => serviceAccountKey(dir, site)));
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(kits.flatMap((kit) => Object.values(kit.keys))).toContain(key);
    expect(kitsBelow(pool.path)).toBe(1);
    expect(contentsOf(pool)).toMatchObject({ taking: [], given: 2, refused: 0 });

    // As a run leaves it that was killed when the site was made.
    mkdirSync(join(pool.taken, 'north-1'));
    const [left = ''] = freeKits(pool).flatMap(({ ids }) => ids);
    renameSync(join(pool.free, needName(drawn), left), join(pool.taken, 'north-1/1'));
    expect(sno([...create, '--identity', identity])).toMatchObject({ code: 0, stderr: '' });
    expect([kitsBelow(pool.path), contentsOf(pool).taking]).toEqual([0, []]);
  });

  it('says how fast it is and how long it takes', () => {
    expect(drawingText(260, 50_000, 10_000)).toBe(
      'drawing keys: 260 of 50000, 26 a second, 31 min 53 s left',
    );
    expect(drawingText(2, 10, 1000)).toBe('drawing keys: 2 of 10, 2.0 a second, 4 s left');
  });
});

function kitsBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.age'))
    .length;
}

/** The key that signs the tokens of a site, as its state has it. */
async function serviceAccountKey(dir: string, site: string): Promise<string | undefined> {
  const bytes = readFileSync(join(dir, 'out', site, '.sno-install-state.json'));
  const opened = await decryptAge(bytes, opening);
  if ('fault' in opened) throw new Error('the state cannot be opened');
  const state = JSON.parse(Buffer.from(opened.bytes).toString('utf8')) as { draws: Record<string, string> };
  return state.draws[drawn.labels[0] ?? ''];
}
