import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { encryptAge } from '../../../src/formats/age.js';
import { fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { startedCommand } from '../../support/started-command.js';
import {
  madePair,
  startEmulator,
  startImages,
  startSlowWay,
  type Emulator,
  type Ends,
  type Pair,
} from './emulated-bmcs.js';
import { scaledMs } from '../../support/time-scale.js';

const password = 'bmc-pa55word-of-all';
const wrongPassword = 'bmc-pa55word-of-others';

interface Printed {
  readonly ok: boolean;
  readonly problems: readonly { code: string; sites: readonly string[]; at?: { line?: number } }[];
  readonly sites: readonly { name: string; state: string; words: string }[];
}

/** Names of sites and addresses of their BMCs. */
type Sites = readonly (readonly [name: string, address: string])[];

function addressOf(port: number, system: string): string {
  return `redfish-virtualmedia://127.0.0.1:${port}${system}`;
}

/** A fleet with its list of images and the identity that decrypts its credentials. */
async function fleetOf(
  sites: Sites,
  { pair, imagePort }: { readonly pair: Pair; readonly imagePort: number },
): Promise<{ readonly dir: string; readonly args: readonly string[]; readonly tokens: readonly string[] }> {
  const users = { '*': { username: 'operator', password } };
  const rows = sites.map(([name, address]) => `${name},192.168.126.10,${address}\n`);
  const block = { address: '${bmc}', certificate: pair.fingerprint, credentials: 'bmc.yaml.age' };
  const dir = fleetFolder({
    'fleet.yaml': fleetText(`boot: ${JSON.stringify(block)}\n`),
    'sites.csv': `name,ip,bmc\n${rows.join('')}`,
    'bmc.yaml.age': await encryptAge(JSON.stringify(users), { recipients: [ageKeys.ours.recipient] }),
  });
  const keys = scratchFolder();
  const tokens = sites.map(([name]) => `token-${Buffer.from(name).toString('hex')}`);
  const list = sites.map(([name], index) => ({
    name,
    url: `https://127.0.0.1:${imagePort}/${tokens[index] ?? ''}/live.iso`,
  }));
  writeFileSync(join(keys, 'key.txt'), ageKeys.ours.identity);
  writeFileSync(join(keys, 'urls.json'), JSON.stringify({ sites: list }));
  const args = ['--dir', dir, '--identity', join(keys, 'key.txt'), '--media', join(keys, 'urls.json')];
  return { dir, args, tokens };
}

function bootOf(args: readonly string[]): ReturnType<typeof startedCommand> {
  return startedCommand(['fleet', 'boot', ...args]);
}

function counted(sites: Printed['sites']): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of sites) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Number of machines of an emulator that were turned on or restarted. */
function startsIn({ requests }: Emulator): number {
  return requests().filter((each) => /^POST .*ComputerSystem\.Reset 204$/.test(each)).length;
}

describeWith(['python3', 'openssl', 'htpasswd'], 'fleet boot, by sushy-emulator', () => {
  const ends: Ends = [];
  let images: Awaited<ReturnType<typeof startImages>>;
  let first: Emulator, second: Emulator, unlisted: Emulator, other: Emulator;
  let hundred: Awaited<ReturnType<typeof fleetOf>>;
  let eight: Awaited<ReturnType<typeof fleetOf>>;
  // Folders created in this hook exist until the end of all tests.
  beforeAll(async () => {
    const pair = madePair();
    images = await startImages(pair, ends);
    let refusing: Emulator;
    [first, second, refusing, unlisted, other] = await Promise.all([
      startEmulator(46, { pair, password, ends }),
      startEmulator(46, { pair, password, ends }),
      startEmulator(4, { pair, password: wrongPassword, ends }),
      startEmulator(1, { pair: madePair(), password, ends }),
      startEmulator(8, { pair, password, ends }),
    ]);
    const [slow, silent] = [
      await startSlowWay(second.port, 150, ends),
      await startSlowWay(undefined, 0, ends),
    ];
    const sites: Sites = [
      ...first.systems.map((system) => addressOf(first.port, system)),
      ...second.systems.map((system, index) => addressOf(index < 5 ? slow : second.port, system)),
      ...refusing.systems.map((system) => addressOf(refusing.port, system)),
      ...unlisted.systems.map((system) => addressOf(unlisted.port, system)),
      ...[1, 2, 3].map((number) => addressOf(silent, `/redfish/v1/Systems/${number}`)),
    ].map((address, index) => [`site-${index}`, address] as const);
    hundred = await fleetOf(sites, { pair, imagePort: images.port });
    const own = other.systems.map(
      (system, index) => [`own-${index}`, addressOf(other.port, system)] as const,
    );
    eight = await fleetOf(own, { pair, imagePort: images.port });
  });
  afterAll(() => Promise.all(ends.map((end) => end())));

  it.concurrent(
    'boots 100 sites despite BMCs that refuse, are slow, do not answer or show another certificate',
    async () => {
      const { dir, args, tokens } = hundred;
      expect(tokens).toHaveLength(100);

      const all = ['--jobs', '40', '--timeout', '20s', '--output', 'json', '--log-level', 'debug'];
      const { code, stdout, stderr } = await bootOf([...args, ...all]).exited;
      expect(stderr).toBe('');
      const printed = JSON.parse(stdout) as Printed;
      const odd = printed.sites.filter(({ name, state }) => state !== 'booted' && !/-9[2-9]$/.test(name));
      expect(odd).toEqual([]);
      expect(counted(printed.sites)).toEqual({ booted: 92, failed: 8 });
      expect([code, printed.ok]).toEqual([1, false]);
      const codes = printed.problems.map((each) => `${each.sites.join()} ${each.at?.line ?? 0} ${each.code}`);
      expect(codes.filter((each) => !/^site-9[789] \d+ boot\/unreachable$/.test(each))).toEqual([
        ...[92, 93, 94, 95].map((index) => `site-${index} ${index + 2} boot/login`),
        'site-96 4 boot/untrusted',
      ]);
      expect(printed.problems).toHaveLength(8);

      // Each image was downloaded once, by the BMC of its site. The BMC with an unknown certificate got no request.
      expect(images.given.filter((path) => tokens.some((token) => path.includes(token))).toSorted()).toEqual(
        tokens
          .slice(0, 92)
          .map((token) => `/${token}/live.iso`)
          .toSorted(),
      );
      expect(unlisted.requests()).toEqual([]);
      // A running machine is turned off first.
      expect([startsIn(first), startsIn(second)]).toEqual([69, 69]);
      const record = readFileSync(join(dir, 'out/boot.json'), 'utf8');
      for (const secret of [password, wrongPassword, ...tokens])
        expect(`${stdout}${record}`).not.toContain(secret);
      const skipped = await bootOf([...args, '--only', 'site-1*', '--output', 'json']).exited;
      expect(counted((JSON.parse(skipped.stdout) as Printed).sites)).toEqual({ skipped: 11 });
      expect(startsIn(first)).toBe(69);

      const ejecting = ['--eject', '--only', 'site-4*', '--only', 'site-92', '--output', 'json'];
      const ejected = await bootOf([...args, ...ejecting]).exited;
      expect(counted((JSON.parse(ejected.stdout) as Printed).sites)).toEqual({ ejected: 11, skipped: 1 });
      const checked = await bootOf([...args, '--check', '--only', 'site-40', '--only', 'site-50']).exited;
      expect(checked.stdout).toMatch(/^site-40 .*power on, no virtual media$/m);
      expect(checked.stdout).toMatch(/^site-50 .*power on, virtual media inserted$/m);
    },
  );

  it.concurrent('continues after a kill and boots no machine twice', async () => {
    const { dir, args } = eight;
    const bootedIn = (): readonly string[] => {
      try {
        const { sites: known } = JSON.parse(readFileSync(join(dir, 'out/boot.json'), 'utf8')) as {
          sites: Record<string, unknown>;
        };
        return Object.keys(known);
      } catch {
        return [];
      }
    };

    const killed = bootOf([...args, '--jobs', '2']);
    await expect
      .poll(() => bootedIn().length, { timeout: scaledMs(120_000), interval: 50 })
      .toBeGreaterThanOrEqual(2);
    process.kill(killed.pid(), 'SIGKILL');
    await killed.exited;
    const stopped = bootOf([...args, '--jobs', '2', '--output', 'json']);
    await expect
      .poll(() => bootedIn().length, { timeout: scaledMs(120_000), interval: 50 })
      .toBeGreaterThanOrEqual(5);
    process.kill(stopped.pid(), 'SIGINT');
    expect((await stopped.exited).code).toBe(130);

    const { sites: last } = JSON.parse(
      (await bootOf([...args, '--output', 'json']).exited).stdout,
    ) as Printed;
    expect(last.every(({ state }) => state === 'booted' || state === 'skipped')).toBe(true);
    expect(bootedIn()).toHaveLength(8);
    const ons = other.systems.map(
      (system) => other.requests().filter((each) => each.startsWith(`PATCH ${system} `)).length,
    );
    // A machine that was prepared but not started when the run ended is prepared again.
    expect(ons.every((times) => times === 1 || times === 2)).toBe(true);
  });
});
