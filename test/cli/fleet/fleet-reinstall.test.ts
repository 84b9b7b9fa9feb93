import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { fleetFolder, fleetText } from '../../fleet/files.js';
import { apiCertificates, kubeconfigText } from '../../remote/kubernetes/throwaway-tls.js';
import { fakeBmc, type Oddities, type FakeBmc } from '../../remote/redfish/fake-bmc.js';
import { ageKeys } from '../../support/age-keys.js';
import { bmcLogins } from '../../support/bmc-logins.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { listeningPort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';

let identity = '';
let credentials = '';
beforeAll(async () => {
  identity = join(scratchFolder(), 'key.txt');
  writeFileSync(identity, ageKeys.ours.identity);
  credentials = await bmcLogins();
});

interface Fleet {
  readonly dir: string;
  readonly bmcs: readonly FakeBmc[];
  readonly urls: string;
}

/** Two created sites that `fleet boot` has booted; north-1 keeps a partition. */
async function fleet(reinstall = 'SameCluster', first: Oddities = {}): Promise<Fleet> {
  const bmcs = [await fakeBmc(first), await fakeBmc()];
  const origins = bmcs.map(({ origin }) => origin);
  const dir = fleetFolder({
    'fleet.yaml': fleetText('boot: {address: "${bmc}", credentials: bmc.yaml.age, plainHttp: true}\n'),
    'sites.csv': `name,ip,bmc\n${origins.map((origin, index) => `north-${index + 1},192.168.126.1${index},${origin}\n`).join('')}`,
    'base/sno-config.yaml': snoConfigText(`hostname: \${name}\nnodeIP: \${ip}\nreinstall: ${reinstall}\n`),
    'overrides/north-1/sno-config.yaml': "coreosInstaller: {savePartitionLabels: ['data*']}\n",
    'bmc.yaml.age': credentials,
  });
  const created = await snoInProcess(['fleet', 'create', dir]);
  expect(created.code).toBe(0);
  const booted = origins.map(
    (bmc, index) => [`north-${index + 1}`, { reached: 'booted', at: '2026-01-02T03:04:05Z', bmc }] as const,
  );
  writeFileSync(
    join(dir, 'out/boot.json'),
    JSON.stringify({ version: 1, sites: Object.fromEntries(booted) }),
  );
  const urls = join(dir, 'urls.json');
  const sites = ['north-1', 'north-2'].map((name) => ({
    name,
    iso: `https://media.example.com/${name}.iso`,
  }));
  writeFileSync(urls, JSON.stringify({ sites }));
  return { dir, bmcs, urls };
}

function reinstall({ dir, urls }: Fleet, ...args: readonly string[]): Promise<CommandOutput> {
  return snoInProcess(['fleet', 'reinstall', '--dir', dir, '--identity', identity, '--media', urls, ...args]);
}

function resets({ bmcs }: Fleet): readonly number[] {
  return bmcs.map(({ writes }) => writes.filter((each) => /"ResetType": ?"On"/.test(each)).length);
}

/** Lets the kubeconfig of north-1 lead to an API whose namespace kube-system was created at this time. */
async function apiCreatedAt({ dir }: Fleet, creationTimestamp: string): Promise<void> {
  const { serving, authority, admin } = await apiCertificates();
  const server = createServer({ key: serving.keyPem, cert: serving.certPem }, (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ metadata: { creationTimestamp }, data: { status: 'complete' } }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = await listeningPort(server);
  const cluster = { 'tls-server-name': 'api.site1.example.com' };
  const access = { caPem: authority.certPem, client: admin, cluster };
  writeFileSync(
    join(dir, 'out/north-1/auth/kubeconfig'),
    kubeconfigText({ server: `https://127.0.0.1:${port}`, ...access }),
  );
}

function stateFile({ dir }: Fleet, site: string): string {
  return readFileSync(join(dir, 'out', site, '.sno-install-state.json'), 'utf8');
}

describe('fleet reinstall', () => {
  it('touches nothing without a confirmation that names the sites', async () => {
    const given = await fleet();
    for (const [args, text] of [
      [['north-*'], 'error[reinstall/not-confirmed]: the reinstallation is not confirmed'],
      [['north-*', '--confirm', 'north-1'], 'the confirmation does not name "north-2"'],
      [['north-1', '--confirm', 'north-1,north-2'], 'names "north-2", which is not a selected site'],
      [['north-*', '--confirm', 'north-*'], 'names "…", which is not a selected site'],
      [['north-1', 'south-*', '--confirm', 'north-1'], 'no site of the table matches "south-*"'],
    ] as const) {
      const { code, stderr } = await reinstall(given, ...args);
      expect(code).toBe(1);
      expect(stderr).toContain(text);
    }
    const check = await reinstall(given, 'north-*', '--check');
    expect(check.code).toBe(0);
    expect(check.stdout).toMatch(/north-1 .*data\* +kept\nnorth-2 .*nothing: the disk is erased +kept\n/);
    expect(check.stderr).toContain(
      'warning[reinstall/erased]: no partition is kept: the disk is erased (1 site: north-2)',
    );
    expect(resets(given)).toEqual([0, 0]);
  });

  it('refuses a medium that keeps the installation, and outputs that changed', async () => {
    const given = await fleet('Refuse');
    const refused = await reinstall(given, 'north-1', '--confirm', 'north-1');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('error[reinstall/refuse]: the medium of north-1 refuses a disk');
    writeFileSync(join(given.dir, 'out/north-1/metadata.json'), '{}');
    const changed = await reinstall(given, 'north-1', '--confirm', 'north-1');
    expect(changed.stderr).toContain(
      'error[reinstall/outdated]: the outputs of north-1 are outdated: metadata.json was modified',
    );
    const late = await reinstall(given, 'north-2', '--confirm', 'north-2', '--site-timeout', '20d');
    expect(late.stderr).not.toContain('expire');
    expect(resets(given)).toEqual([0, 0]);
  });

  it('looks at the medium again before the boot', async () => {
    let onRead = (): void => undefined;
    const machine = {
      get Description() {
        onRead();
        return 'server';
      },
    };
    const given = await fleet('SameCluster', { machine });
    // The check reads the machine after it compared the media.
    onRead = () => {
      writeFileSync(join(given.dir, 'out/north-1/metadata.json'), '{}');
    };
    const { code, stderr } = await reinstall(
      given,
      'north-1',
      '--confirm',
      'north-1',
      '--site-timeout',
      '3s',
    );
    expect([code, resets(given)]).toEqual([1, [0, 0]]);
    expect(stderr).toContain('its medium is outdated (outdated: metadata.json was modified)');
  });

  it('boots a booted site again, waits for the new cluster, and does not boot it twice', async () => {
    const given = await fleet();
    const before = stateFile(given, 'north-1');
    const confirmed = ['north-1', '--confirm', 'north-1', '--until', 'bootstrap-complete'];
    const first = await reinstall(given, ...confirmed, '--site-timeout', '2s');
    expect(first.code).toBe(1);
    expect(resets(given)).toEqual([1, 0]);
    expect(stateFile(given, 'north-1')).toBe(before);
    // The machine started from its disk, and its earlier cluster answers.
    await apiCreatedAt(given, '2026-01-02T03:04:05Z');
    const old = await reinstall(given, ...confirmed, '--retry-failed', '--site-timeout', '2s');
    expect(old.code).toBe(1);
    expect(old.stderr).toContain('the API belongs to a cluster installed at 2026-01-02T03:04:05Z');
    await apiCreatedAt(given, new Date().toISOString());
    const last = await reinstall(given, ...confirmed, '--retry-failed', '--output', 'json');
    expect(last.code).toBe(0);
    expect(JSON.parse(last.stdout)).toMatchObject({
      operation: 'reinstall',
      state: 'complete',
      sites: [{ name: 'north-1', state: 'done' }],
    });
    expect(resets(given)).toEqual([1, 0]);
  });

  it('renews the keys of the named site only, and keeps the earlier ones', async () => {
    const given = await fleet('Refuse');
    const before = [stateFile(given, 'north-1'), stateFile(given, 'north-2')];
    const renew = ['north-2', '--keys', 'renew', '--confirm', 'north-2', '--site-timeout', '2s'];
    const { stderr } = await reinstall(given, ...renew);
    expect(stderr).toContain('the earlier keys are kept in');
    expect(resets(given)).toEqual([0, 1]);
    const after = [stateFile(given, 'north-1'), stateFile(given, 'north-2')];
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    const [kept = ''] = readdirSync(join(given.dir, 'out/.replaced'));
    expect(readFileSync(join(given.dir, 'out/.replaced', kept, '.sno-install-state.json'), 'utf8')).toBe(
      before[1],
    );
    // A run that continues does not renew them again.
    await reinstall(given, ...renew, '--retry-failed');
    expect(stateFile(given, 'north-2')).toBe(after[1]);
    expect(resets(given)).toEqual([0, 1]);
  });

  it('brings the earlier outputs back if the site cannot be created', async () => {
    const given = await fleet();
    const before = stateFile(given, 'north-2');
    writeFileSync(
      join(given.dir, 'base/sno-config.yaml'),
      snoConfigText('hostname: ${name}\nnodeIP: none\n'),
    );
    const { code, stderr } = await reinstall(given, 'north-2', '--keys', 'renew', '--confirm', 'north-2');
    expect(code).toBe(1);
    expect(stderr).toContain('error[reinstall/keys]: the keys of north-2 were not renewed');
    expect(stateFile(given, 'north-2')).toBe(before);
    expect(resets(given)).toEqual([0, 0]);
  });
});
