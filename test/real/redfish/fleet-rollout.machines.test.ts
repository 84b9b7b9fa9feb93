import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { encryptAge } from '../../../src/formats/age.js';
import { countSites, readRolloutState, type RolloutState } from '../../../src/fleet/rollout/rollout-state.js';
import { fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { listeningPort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { startedCommand } from '../../support/started-command.js';
import { scaledMs } from '../../support/time-scale.js';
import { liveApi, type LiveApi } from '../cluster/live-api.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { madePair, startEmulator, startImages, type Emulator, type Ends } from './emulated-bmcs.js';

const [password, otherPassword] = ['bmc-pa55word-of-all', 'bmc-pa55word-of-others'];
const plan = 'canary: {where: {role: canary}}\nwave: 25%\nfailureLimit: 3\nuntil: bootstrap-complete\n';
const ends: Ends = [];
afterAll(() => Promise.all(ends.map((end) => end())));

/** A body of the webhook. */
interface Event {
  readonly id: string;
  readonly event: string;
  readonly wave?: string;
  readonly site?: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Starts a receiver of events on loopback. */
async function startReceiver(): Promise<{ readonly url: string; readonly events: readonly Event[] }> {
  const events: Event[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      events.push(JSON.parse(text) as Event);
      response.end();
    });
  });
  ends.push(() => Promise.resolve(server.close()));
  return { url: `http://127.0.0.1:${await listeningPort(server)}/events`, events };
}

/** Starts a kube-apiserver with the ConfigMap of the bootstrap. */
async function startApi(status: string): Promise<LiveApi> {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-rollout-'));
  const api = await liveApi(folder);
  ends.push(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await api.start();
  const map = ['configmap', 'bootstrap', '--namespace=kube-system'];
  await api.kubectl(['create', ...map, `--from-literal=status=${status}`]);
  return api;
}

interface Given {
  readonly dir: string;
  readonly args: readonly string[];
  /** Emulators of 97 machines, and of 3 with another password. */
  readonly emulators: readonly [Emulator, Emulator];
  /** Its cluster becomes complete when the test sets it. */
  readonly late: LiveApi;
}

/**
 * 100 sites in the order of the table: 4 of the canary and 20 of the north on hold, then four waves of 19. Three BMCs of the second
 * wave have another password. The API of the third is not complete.
 */
async function given(): Promise<Given> {
  const pair = madePair();
  const images = await startImages(pair, ends);
  const [early, late] = [await startApi('complete'), await startApi('begun')];
  const emulators = await Promise.all([
    startEmulator(97, { pair, password, ends }),
    startEmulator(3, { pair, password: otherPassword, ends }),
  ]);
  const machines = emulators.map(({ port, systems }) =>
    systems.map((system) => `redfish-virtualmedia://127.0.0.1:${port}${system}`),
  );
  const names = Array.from({ length: 100 }, (_, index) => `site-${String(index).padStart(3, '0')}`);
  const rows = names.map((name, index) => {
    const isOther = index >= 43 && index < 46;
    const bmc = machines[isOther ? 1 : 0]?.shift() ?? '';
    const region = index >= 4 && index < 24 ? 'north' : 'south';
    return `${name},192.168.126.10,${index < 4 ? 'canary' : ''},${region},${bmc}\n`;
  });
  const boot = { address: '${bmc}', certificate: pair.fingerprint, credentials: 'bmc.yaml.age' };
  const users = { '*': { username: 'operator', password } };
  const dir = fleetFolder({
    'fleet.yaml': fleetText(`boot: ${JSON.stringify(boot)}\n`),
    'sites.csv': `name,ip,role,region,bmc\n${rows.join('')}`,
    'bmc.yaml.age': await encryptAge(JSON.stringify(users), { recipients: [ageKeys.ours.recipient] }),
    'rollout.yaml': `${plan}hold: {where: {region: north}}\n`,
    'key.txt': ageKeys.ours.identity,
  });
  for (const [index, name] of names.entries()) {
    const isLate = index >= 62 && index < 81;
    mkdirSync(join(dir, 'out', name, 'auth'), { recursive: true });
    writeFileSync(join(dir, 'out', name, 'auth/kubeconfig'), (isLate ? late : early).kubeconfig());
  }
  const media = `https://127.0.0.1:${images.port}/{site}/secret-token/live.iso`;
  const args = ['fleet', 'rollout', dir, '--identity', join(dir, 'key.txt'), '--media-url', media];
  return { dir, args, emulators, late };
}

function stateIn(dir: string): RolloutState {
  const read = readRolloutState(readFileSync(join(dir, 'out/rollout.json'), 'utf8'), 'rollout.json');
  if (!read.ok) throw new Error('the state cannot be read');
  return read.value;
}

/** `canary=done 1=running`. */
function wavesIn(dir: string): string {
  return stateIn(dir)
    .waves.map(({ name, state }) => `${name}=${state}`)
    .join(' ');
}

/** Number of inserted media by machine. */
function insertions(emulators: readonly Emulator[]): readonly number[] {
  return emulators.flatMap(({ requests, systems }) => {
    const inserted = requests().filter((each) => /^POST .*VirtualMedia\.InsertMedia 204$/.test(each));
    return systems.map(
      (system) => inserted.filter((each) => each.includes(system.split('/').at(-1) ?? '-')).length,
    );
  });
}

describeWith(
  ['python3', 'openssl', 'htpasswd', 'go', 'kubectl'],
  '100 sites by sushy-emulator and kube-apiserver',
  () => {
    let fleet: Given;
    let receiver: Awaited<ReturnType<typeof startReceiver>>;
    beforeAll(async () => {
      fleet = await given();
      receiver = await startReceiver();
    }, buildTimeoutMs);

    it(
      'stop in the second wave, go on after its repair, survive a kill, and end with the sites on hold',
      async () => {
        const { dir, args, emulators, late } = fleet;
        const webhook = ['--webhook', receiver.url];

        const first = await startedCommand([...args, ...webhook]).exited;
        expect(first.code).toBe(1);
        expect(first.stderr).toContain(
          'error[rollout/stopped]: 3 of 19 sites of wave 2 failed; the limit is 3',
        );
        expect(first.stderr).toMatch(
          /error\[rollout\/site-failed\]: the BMC: .*password.* \(3 sites: site-043, site-044, site-045\)/,
        );
        expect(wavesIn(dir)).toBe('canary=done 1=done 2=failed 3=pending 4=pending');
        expect(countSites(stateIn(dir).sites.values())).toMatchObject({ failed: 3, held: 20 });
        const names = receiver.events.map(({ event, wave }) =>
          event.startsWith('site') ? '' : `${event} ${wave ?? ''}`,
        );
        expect(names.filter((each) => each !== '')).toEqual([
          'rollout-started ',
          'wave-started canary',
          'wave-done canary',
          'wave-started 1',
          'wave-done 1',
          'wave-started 2',
          'wave-failed 2',
          'rollout-stopped 2',
        ]);
        expect(receiver.events.at(-1)?.counts).toEqual(countSites(stateIn(dir).sites.values()));
        expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(receiver.events.length);

        const both = JSON.stringify({
          ...Object.fromEntries(
            ['043', '044', '045'].map((each) => [
              `site-${each}`,
              { username: 'operator', password: otherPassword },
            ]),
          ),
          '*': { username: 'operator', password },
        });
        const repaired = [...args, '--credentials-command', `echo '${both}'`];
        const interrupted = startedCommand([...repaired, '--retry-failed']);
        const isWaiting = (): number =>
          [...stateIn(dir).sites.values()].filter(({ wave, state }) => wave === '3' && state === 'waiting')
            .length;
        await expect.poll(isWaiting, { timeout: scaledMs(60_000), interval: 200 }).toBe(19);
        process.kill(interrupted.pid(), 'SIGINT');
        expect((await interrupted.exited).code).toBe(130);
        expect(stateIn(dir).state).toBe('interrupted');
        expect(readFileSync(join(dir, 'out/rollout.csv'), 'utf8')).toMatch(/^site-070,3,waiting,/m);

        const killed = startedCommand(repaired);
        await expect
          .poll(() => stateIn(dir).state, { timeout: scaledMs(60_000), interval: 100 })
          .toBe('running');
        process.kill(killed.pid(), 'SIGKILL');
        await killed.exited;
        expect(wavesIn(dir)).toBe('canary=done 1=done 2=done 3=running 4=pending');

        const resumed = startedCommand(repaired);
        const patch = '--patch={"data":{"status":"complete"}}';
        await late.kubectl(['patch', 'configmap', 'bootstrap', '--namespace=kube-system', patch]);
        expect(await resumed.exited).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/\ncomplete: 80 done, 20 held\n$/) as string,
        });

        writeFileSync(join(dir, 'rollout.yaml'), plan);
        expect(await startedCommand(repaired).exited).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/\n5 +done +20 done\n.*complete: 100 done\n$/s) as string,
        });
        const lines = readFileSync(join(dir, 'out/rollout.csv'), 'utf8').split('\n');
        expect(lines.filter((line) => /^site-\d+,\w+,done,/.test(line))).toHaveLength(100);
        expect(insertions(emulators).toSorted()).toEqual(Array.from({ length: 100 }, () => 1));
        const kept = ['rollout.json', 'rollout.csv', 'boot.json'].map((name) =>
          readFileSync(join(dir, 'out', name), 'utf8'),
        );
        expect([...kept, JSON.stringify(receiver.events)].join('')).not.toMatch(/secret-token|pa55word/);
      },
      scaledMs(300_000),
    );
  },
);
