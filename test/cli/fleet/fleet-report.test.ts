import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';

import { fleetFolder, fleetText } from '../../fleet/files.js';
import { apiCertificates, type ApiCertificates } from '../../remote/kubernetes/throwaway-tls.js';
import { fakeBmc } from '../../remote/redfish/fake-bmc.js';
import { ageKeys } from '../../support/age-keys.js';
import { bmcLogins } from '../../support/bmc-logins.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
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

const ago = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+/, '');

const states = {
  'n-done': { state: 'done', attempts: 1 },
  'n-quiet': { state: 'failed', attempts: 1, startedAt: ago(60), cause: 'the site timeout' },
  'n-up': { state: 'failed', attempts: 2, startedAt: ago(60), cause: 'the site timeout' },
  'n-new': { state: 'waiting', attempts: 1, startedAt: ago(2) },
};
const names = Object.keys(states);

/** Four sites: the API of n-up is complete, the others do not answer. */
async function fleet(): Promise<string> {
  const kubeconfig = await completeApi(certificates);
  const silent = kubeconfig.replace(/https:\/\/127\.0\.0\.1:\d+/, 'https://127.0.0.1:9');
  const origins = await Promise.all(names.map(async () => (await fakeBmc()).origin));
  const rollout = { operation: 'boot', until: 'bootstrap-complete', plan: 'x', state: 'stopped' };
  const times = { startedAt: ago(60), updatedAt: ago(1) };
  return fleetFolder({
    'fleet.yaml': fleetText('boot: {address: "${bmc}", credentials: bmc.yaml.age, plainHttp: true}\n'),
    'sites.csv': `name,ip,bmc\n${names.map((name, index) => `${name},192.168.126.1${index},${origins[index] ?? ''}\n`).join('')}`,
    'bmc.yaml.age': credentials,
    ...Object.fromEntries(
      names.map((name) => [`out/${name}/auth/kubeconfig`, name === 'n-up' ? kubeconfig : silent]),
    ),
    'out/rollout.json': JSON.stringify({ version: 1, ...rollout, ...times, waves: [], sites: states }),
    'out/boot.json': JSON.stringify({
      version: 2,
      sites: {
        'n-quiet': { state: 'booted', updatedAt: ago(60), bmc: origins[1] },
        'n-new': { state: 'booted', updatedAt: ago(2), bmc: origins[3] },
      },
    }),
    '.sno-install-serve.json.downloads': JSON.stringify({
      'n-quiet': {
        sentBytes: 650_000_000,
        mediumBytes: 1_300_000_000,
        lastFile: 'live.iso',
        lastAt: ago(50),
      },
    }),
  });
}

function report(dir: string, ...args: readonly string[]): Promise<CommandOutput> {
  return snoInProcess(['fleet', 'report', dir, '--identity', identity, ...args]);
}

describe('fleet report', () => {
  it('shows failed sites with their signs of life and the next command, and waiting ones on a line', async () => {
    const dir = await fleet();
    const { code, stdout, stderr } = await report(dir);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'T').replaceAll(dir, 'fleet')).toBe(
      [
        'n-quiet  failed: 50 % of its medium was sent, the last part at T',
        '  Rollout  boot, failed, 1 start: the site timeout',
        '  Boot     booted at T',
        '  Medium   live.iso at T, 619.9 MiB of 1.2 GiB sent',
        '  Node     no report since its boot',
        '  API      the API does not answer: connection refused',
        '  BMC      power off, no virtual media',
        '  Next     check the network between BMC and server; then boot it again',
        '           sno-install fleet boot fleet --only n-quiet --again --media urls.json',
        '',
        'n-new  waits: the API does not answer: connection refused',
        '',
        'n-up  installed: bootstrap-complete',
        '  Next     run it again with --retry-failed, which only waits for the site',
        '           sno-install fleet rollout fleet --only n-up --media urls.json --retry-failed',
        '',
        '3 sites: 1 failed, 1 waiting, 1 installed; 1 done, not started or on hold',
        '',
      ].join('\n'),
    );
  });

  it('has all of it as JSON of the schema', async () => {
    const { code, stdout } = await report(await fleet(), '--no-bmc', '--output', 'json');
    const shown = JSON.parse(stdout) as { readonly sites: readonly { readonly name: string }[] };
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(
      JSON.parse(readFileSync('docs/output.schema.json', 'utf8')) as object,
      'output',
    );
    const isValid = ajv.compile({ $ref: 'output#/$defs/fleetReport' });
    expect([code, isValid(shown), isValid.errors]).toEqual([1, true, null]);
    expect(shown.sites.map(({ name }) => name)).toEqual(['n-quiet', 'n-new', 'n-up']);
    expect(stdout).not.toContain('"bmc"');
  });

  it('reports on the sites that --only names, and refuses an unknown one', async () => {
    const dir = await fleet();
    expect(await report(dir, '--no-bmc', '--only', 'n-new')).toMatchObject({ code: 0 });
    expect(await report(dir, '--no-bmc', '--only', 'n-other')).toMatchObject({ code: 1 });
  });

  it('refuses a damaged record', async () => {
    const dir = await fleet();
    writeFileSync(join(dir, 'out/rollout.json'), '{');
    const { code, stderr } = await report(dir, '--no-bmc');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[rollout/state]')]);
  });
});
