import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { fleetFolder, fleetText } from '../../fleet/files.js';
import {
  apiCertificates,
  throwawayAuthority,
  type ApiCertificates,
} from '../../remote/kubernetes/throwaway-tls.js';
import { fakeBmc, type FakeBmc } from '../../remote/redfish/fake-bmc.js';
import { ageKeys } from '../../support/age-keys.js';
import { bmcLogins } from '../../support/bmc-logins.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { listeningPort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';
import { completeApi } from './complete-api.js';

let identity = '';
let credentials = '';
let certificates: ApiCertificates;
beforeAll(async () => {
  identity = join(scratchFolder(), 'key.txt');
  writeFileSync(identity, ageKeys.ours.identity);
  credentials = await bmcLogins();
  certificates = await apiCertificates();
});

const plan = 'canary: {only: [lab-1]}\nwave: 2\nuntil: bootstrap-complete\nhold: {where: {region: south}}\n';

interface RolloutFleet {
  readonly dir: string;
  /** Replaces the BMC of a site. */
  readonly setBmc: (site: string, bmc: FakeBmc) => void;
}

/** Five sites: lab-1, north-1 to north-3, and south-1, with these BMCs. */
async function fleet(bmcs: readonly FakeBmc[], planText = plan): Promise<RolloutFleet> {
  const kubeconfig = await completeApi(certificates);
  const sites = ['north-1', 'lab-1', 'north-2', 'north-3', 'south-1'].map((name, index) => ({
    name,
    origin: bmcs[index]?.origin ?? '',
  }));
  const table = (): string =>
    `name,ip,region,bmc\n${sites
      .map(
        ({ name, origin }, index) => `${name},192.168.126.1${index},${name.split('-')[0] ?? ''},${origin}\n`,
      )
      .join('')}`;
  const dir = fleetFolder({
    'fleet.yaml': fleetText('boot: {address: "${bmc}", credentials: bmc.yaml.age, plainHttp: true}\n'),
    'sites.csv': table(),
    'bmc.yaml.age': credentials,
    'rollout.yaml': planText,
    ...Object.fromEntries(sites.map(({ name }) => [`out/${name}/auth/kubeconfig`, kubeconfig])),
  });
  return {
    dir,
    setBmc: (site, { origin }) => {
      for (const each of sites) if (each.name === site) each.origin = origin;
      writeFileSync(join(dir, 'sites.csv'), table());
    },
  };
}

function rollout(dir: string, ...args: readonly string[]): Promise<CommandOutput> {
  const media = ['--media-url', 'https://media.example.com/{site}/live.iso'];
  return snoInProcess(['fleet', 'rollout', dir, '--identity', identity, ...media, ...args]);
}

function bmcs(): Promise<readonly FakeBmc[]> {
  return Promise.all(Array.from({ length: 5 }, () => fakeBmc()));
}

/** Number of resets of each BMC. */
function resets(all: readonly FakeBmc[]): readonly number[] {
  return all.map(({ writes }) => writes.filter((each) => /"ResetType": ?"On"/.test(each)).length);
}

const killedAt = '2026-11-27T12:00:00Z';

function writeBoots(dir: string, sites: object): void {
  writeFileSync(join(dir, 'out/boot.json'), JSON.stringify({ version: 1, sites }));
}

/** Writes the state of a rollout that was killed while it started lab-1. */
function writeKilled(dir: string): void {
  const site = { wave: 'canary', state: 'starting', startedAt: new Date().toISOString(), attempts: 1 };
  const times = { startedAt: killedAt, updatedAt: killedAt };
  const killed = { operation: 'boot', until: 'x', plan: 'x', state: 'running', ...times };
  const waves = [{ name: 'canary', state: 'running', startedAt: killedAt }];
  writeState(dir, JSON.stringify({ version: 1, ...killed, waves, sites: { 'lab-1': site } }));
}

/** Creates the outputs of a site, and replaces one of them. */
async function makeOutdated(dir: string, site: string): Promise<void> {
  const kubeconfig = join(dir, 'out', site, 'auth/kubeconfig');
  const text = readFileSync(kubeconfig);
  rmSync(join(dir, 'out', site), { recursive: true });
  expect(await snoInProcess(['fleet', 'create', dir, '--only', site])).toMatchObject({ code: 0 });
  writeFileSync(kubeconfig, text);
}

/** Without times, which differ. */
function timeless(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'T');
}

describe('a dry run', () => {
  it('prints waves, window and sites on hold, and contacts nothing', async () => {
    const all = await bmcs();
    const { dir } = await fleet(all);
    const { code, stdout } = await snoInProcess(['fleet', 'rollout', dir, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'WAVE    SITES  LIMIT  STARTED',
        'canary  1      1               lab-1',
        '1       2      1               north-1, north-2',
        '2       1      1               north-3',
        'on hold: 1 site: south-1',
        'until: bootstrap-complete',
        'window: any time',
        '',
      ].join('\n'),
    );
    expect(existsSync(join(dir, 'out/rollout.json'))).toBe(false);
    expect(all.flatMap(({ writes }) => writes)).toEqual([]);
  });

  it('has all sites as JSON, and follows --only and --plan', async () => {
    const { dir } = await fleet(await bmcs());
    const other = join(scratchFolder(), 'plan.yaml');
    writeFileSync(other, "wave: 1\nwindows: [{from: '00:00', to: '24:00', zone: UTC}]\n");
    const args = ['fleet', 'rollout', dir, '--dry-run', '--plan', other, '--only', '*-1'];
    const { stdout } = await snoInProcess([...args, '--output', 'json']);
    const wave = { failureLimit: 1, done: 0, failed: 0, waiting: 0 };
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      problems: [],
      operation: 'boot',
      until: 'install-complete',
      waves: [
        { name: '1', sites: ['north-1'], ...wave },
        { name: '2', sites: ['lab-1'], ...wave },
        { name: '3', sites: ['south-1'], ...wave },
      ],
      held: [],
    });
  });
});

describe('a rollout', () => {
  it('goes on without a site whose BMC answers with four megabytes of members', async () => {
    const members = Array.from({ length: 90_000 }, (_each, index) => ({
      '@odata.id': `/redfish/v1/x/${index}`,
    }));
    const [, ...others] = await bmcs();
    const hostile = await fakeBmc({ machine: { Members: members } });
    const all = [hostile, ...others];
    const { dir } = await fleet(
      all,
      'canary: {only: [lab-1]}\nwave: 2\nfailureLimit: 2\nuntil: bootstrap-complete\n',
    );
    const { code, stdout, stderr } = await rollout(dir);

    expect([code, stdout.split('\n').at(-2)]).toEqual([1, 'complete: 4 done, 1 failed']);
    expect(stderr).toContain('north-1 failed: the BMC: the response contains a list with too many entries');
    expect(resets(all)).toEqual([0, 1, 1, 1, 1]);
  });

  it('boots wave by wave, writes its state and the audit record, and boots nothing twice', async () => {
    const all = await bmcs();
    const { dir } = await fleet(all);
    const { code, stdout, stderr } = await rollout(dir);
    expect([code, timeless(stderr)]).toEqual([
      0,
      [
        'T wave canary starts: 1 pending',
        'T wave canary is done: 1 done',
        'T wave 1 starts: 2 pending',
        'T wave 1 is done: 2 done',
        'T wave 2 starts: 1 pending',
        'T wave 2 is done: 1 done',
        '',
      ].join('\n'),
    ]);
    expect(stdout).toBe(
      'WAVE    STATE  SITES\ncanary  done   1 done\n1       done   2 done\n2       done   1 done\non hold: south-1\ncomplete: 4 done, 1 held\n',
    );
    expect(resets(all)).toEqual([1, 1, 1, 1, 0]);
    expect(
      timeless(readFileSync(join(dir, 'out/rollout.csv'), 'utf8')).replaceAll(/T,[\d.]+,/g, 'T,S,'),
    ).toBe(
      [
        'site,wave,state,startedAt,bootedAt,finishedAt,seconds,attempts,cause',
        'lab-1,canary,done,T,T,T,S,1,',
        'north-1,1,done,T,T,T,S,1,',
        'north-2,1,done,T,T,T,S,1,',
        'north-3,2,done,T,T,T,S,1,',
        'south-1,,held,,,,,0,',
        '',
      ].join('\n'),
    );

    const again = await rollout(dir, '--output', 'json');
    expect(again.code).toBe(0);
    expect(outputSchema()(JSON.parse(again.stdout))).toBe(true);
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, state: 'complete', operation: 'boot' });
    expect(resets(all)).toEqual([1, 1, 1, 1, 0]);

    writeFileSync(join(dir, 'rollout.yaml'), 'wave: 2\nuntil: bootstrap-complete\n');
    expect((await rollout(dir)).stdout).toMatch(/^3 +done +1 done\ncomplete: 5 done$/m);
    expect(resets(all)).toEqual([1, 1, 1, 1, 1]);
  });

  it('does not boot sites that `fleet boot` has booted', async () => {
    const all = await bmcs();
    const { dir } = await fleet(all);
    const media = ['--media-url', 'https://media.example.com/{site}/live.iso'];
    await snoInProcess(['fleet', 'boot', dir, '--identity', identity, ...media, '--only', 'north-*']);
    expect((await rollout(dir)).code).toBe(0);
    expect(resets(all)).toEqual([1, 1, 1, 1, 0]);
  });

  it.each([
    { name: 'was booted', record: { reached: 'booted', slot: '/slot' } },
    { name: 'was off, and runs now', record: { reached: 'starting', wasOff: true } },
  ])('does not boot a site again whose start was killed when it $name', async ({ record }) => {
    const bmc = await fakeBmc({ isOn: true });
    const { dir, setBmc } = await fleet(await bmcs());
    setBmc('lab-1', bmc);
    writeBoots(dir, { 'lab-1': { ...record, at: killedAt, bmc: bmc.origin } });
    writeKilled(dir);
    expect((await rollout(dir, '--only', 'lab-1')).stdout).toMatch(/^complete: 1 done$/m);
    expect(resets([bmc])).toEqual([0]);
  });

  it.each([
    { name: 'that runs from its outdated medium is awaited', isOn: true, want: [0, 'complete: 1 done'] },
    {
      name: 'that was not started is not booted from its outdated medium',
      isOn: false,
      want: [1, 'stopped: 1 failed'],
    },
  ])('a site in state starting $name', async ({ isOn, want }) => {
    const bmc = await fakeBmc(isOn ? { isOn } : {});
    const { dir, setBmc } = await fleet(await bmcs());
    setBmc('lab-1', bmc);
    await makeOutdated(dir, 'lab-1');
    writeBoots(dir, { 'lab-1': { reached: 'starting', wasOff: true, at: killedAt, bmc: bmc.origin } });
    writeKilled(dir);
    const { code, stdout, stderr } = await rollout(dir, '--only', 'lab-1');
    expect([code, stdout.split('\n').at(-2)]).toEqual(want);
    expect(bmc.writes.filter((each) => !each.includes('Session'))).toEqual([]);
    if (!isOn) expect(stderr).toContain('lab-1 failed: its medium is outdated');
  });

  it('stops at the failure limit with the cause, and goes on with --retry-failed', async () => {
    const all = [...(await bmcs())];
    const broken = await fakeBmc({ mediaTypes: [] });
    const { dir, setBmc } = await fleet(all);
    setBmc('north-2', broken);
    const { code, stdout, stderr } = await rollout(dir, '--jobs', '1');
    expect(code).toBe(1);
    expect(timeless(stderr)).toContain('T north-2 failed: the BMC: ');
    expect(stderr).toContain('error[rollout/site-failed]: the BMC: it has no virtual media');
    expect(stderr).toContain(' (1 site: north-2)\n');
    expect(stderr).toContain('error[rollout/stopped]: 1 of 2 sites of wave 1 failed; the limit is 1\n');
    expect(stdout).toContain(
      '2       pending  1 pending\non hold: south-1\nstopped: 2 done, 1 failed, 1 pending, 1 held\n',
    );
    expect(readFileSync(join(dir, 'out/rollout.csv'), 'utf8')).toMatch(
      /^north-2,1,failed,.*,"the BMC: it has no virtual media; /m,
    );

    const unchanged = await rollout(dir);
    expect([unchanged.code, resets(all)]).toEqual([1, [1, 1, 0, 0, 0]]);

    setBmc('north-2', all[2] ?? broken);
    const retried = await rollout(dir, '--retry-failed');
    expect([retried.code, retried.stdout.split('\n').at(-2)]).toEqual([0, 'complete: 4 done, 1 held']);
    expect(resets(all)).toEqual([1, 1, 1, 1, 0]);
  });

  it('names the answer of the API and the report of the node as the cause', async () => {
    const all = await bmcs();
    const { dir } = await fleet(all);
    const kubeconfig = await completeApi(certificates, (await throwawayAuthority('another')).certPem);
    writeFileSync(join(dir, 'out/lab-1/auth/kubeconfig'), kubeconfig);
    const stages = [
      { service: 'bootkube', stage: 'wait-for-etcd', came: 'failed', at: '2026-01-01T00:00:00Z' },
    ];
    const report = { system: 'live', isComplete: false, stages, receivedAt: '2099-01-01T00:00:00Z' };
    writeFileSync(join(dir, '.sno-install-serve.json.reports'), JSON.stringify({ 'lab-1': report }));
    const { code, stdout } = await rollout(dir, '--output', 'json');
    expect(code).toBe(1);
    const { sites } = JSON.parse(stdout) as { sites: readonly { name: string; cause?: string }[] };
    expect(sites.find(({ name }) => name === 'lab-1')?.cause).toMatch(
      /^the certificate of the API is signed by an unknown authority.*; last node report: bootkube wait-for-etcd failed$/,
    );
    expect(resets(all)).toEqual([0, 1, 0, 0, 0]);
  });

  it('sends its events, with a token', async () => {
    const bodies: Record<string, unknown>[] = [];
    const headers = new Set<string | undefined>();
    const receiver = createPlainServer((request, response) => {
      let text = '';
      headers.add(request.headers.authorization);
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        bodies.push(JSON.parse(text) as Record<string, unknown>);
        response.end();
      });
    });
    onTestFinished(() => void receiver.close());
    const port = await listeningPort(receiver);
    const { dir } = await fleet(await bmcs(), 'until: bootstrap-complete\n');
    const token = join(scratchFolder(), 'token');
    writeFileSync(token, 'abc.def\n');
    const webhook = ['--webhook', `http://127.0.0.1:${port}/hook`, '--webhook-token-file', token];
    expect((await rollout(dir, ...webhook, '--only', 'lab-1')).code).toBe(0);
    expect([...headers]).toEqual(['Bearer abc.def']);
    expect(bodies.map(({ event, site, wave }) => [event, wave, site])).toEqual([
      ['rollout-started', undefined, undefined],
      ['wave-started', '1', undefined],
      ['site-started', '1', 'lab-1'],
      ['site-done', '1', 'lab-1'],
      ['wave-done', '1', undefined],
      ['rollout-complete', undefined, undefined],
    ]);
    expect(bodies.at(-1)).toMatchObject({
      version: 1,
      operation: 'boot',
      counts: { done: 1, failed: 0, waiting: 0, pending: 0, held: 0 },
    });
    expect(JSON.stringify(bodies)).not.toMatch(/media\.example|pa55word/);
  });
});

describe('fails before the first request to a BMC', () => {
  const cases: readonly {
    name: string;
    args?: readonly string[];
    change?: (dir: string) => void;
    want: string;
  }[] = [
    {
      name: 'a site without a usable kubeconfig',
      change: (dir) => {
        writeFileSync(join(dir, 'out/lab-1/auth/kubeconfig'), '{}');
      },
      want: 'cluster/kubeconfig',
    },
    { name: 'no plan', args: ['--plan', 'none.yaml'], want: 'rollout/plan' },
    {
      name: 'a broken state',
      change: (dir) => {
        writeState(dir, '{}');
      },
      want: 'rollout/state',
    },
    {
      name: 'a token without a webhook',
      args: ['--webhook-token-file', 'x'],
      want: 'usage/conflicting-options',
    },
    { name: 'a webhook without TLS', args: ['--webhook', 'http://192.0.2.1/'], want: 'webhook/address' },
    { name: 'jobs that are none', args: ['--jobs', 'x'], want: 'usage/unknown-argument' },
  ];
  it.each(cases)('$name', async ({ args = [], change = () => undefined, want }) => {
    const all = await bmcs();
    const { dir } = await fleet(all);
    change(dir);
    const { code, stdout } = await rollout(dir, ...args, '--output', 'json');
    const { problems } = JSON.parse(stdout) as { problems: readonly { code: string }[] };
    expect([code > 0, problems.map((each) => each.code)]).toEqual([true, [want]]);
    expect(all.flatMap(({ writes }) => writes)).toEqual([]);
  });
});

function writeState(dir: string, text: string): void {
  mkdirSync(join(dir, 'out'), { recursive: true });
  writeFileSync(join(dir, 'out/rollout.json'), text);
}

/** Whether an object is the documented output of `fleet rollout`. */
function outputSchema(): (printed: unknown) => boolean {
  const ajv = new Ajv2020({ formats: { 'date-time': true } });
  ajv.addSchema(JSON.parse(readFileSync('docs/output.schema.json', 'utf8')) as object, 'output');
  const schema = ajv.getSchema('output#/$defs/rollout');
  return (printed) => schema?.(printed) === true;
}
