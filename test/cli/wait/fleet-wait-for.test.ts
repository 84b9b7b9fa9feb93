import { createServer } from 'node:https';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { encryptAge } from '../../../src/formats/age.js';
import {
  condition,
  clusterVersion,
  configured,
  node,
  pool,
  settledOperator,
} from '../../remote/kubernetes/fake-cluster.js';
import { apiCertificates, apiName, kubeconfigText } from '../../remote/kubernetes/throwaway-tls.js';
import { fleetFolder } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { freePort, listeningPort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';

const { authority, serving, admin } = await apiCertificates();

let refusing = '';
beforeAll(async () => {
  refusing = `https://127.0.0.1:${await freePort()}`;
});

/** An API server with these objects, keyed by path. Other paths get a Status with the name, as from kube-apiserver. */
async function apiOf(objects: Readonly<Record<string, object>>): Promise<string> {
  const server = createServer({ cert: serving.certPem, key: serving.keyPem }, (request, response) => {
    const found = objects[request.url ?? ''];
    const status = { kind: 'Status', details: { name: 'it' } };
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? status));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${await listeningPort(server)}`;
}

const ready = { '/api/v1/nodes': { items: [node('sno1', 'True')] } };
const installed = {
  '/apis/config.openshift.io/v1/clusterversions/version': clusterVersion(
    condition('Available', 'True'),
    condition('Progressing', 'False'),
  ),
  '/apis/config.openshift.io/v1/clusteroperators': { items: [settledOperator('insights')] },
  '/apis/machineconfiguration.openshift.io/v1/machineconfigpools': { items: [pool('master')] },
  '/api/v1/nodes': { items: [configured('sno1', 'Done')] },
};

function kubeconfig(server: string): string {
  return kubeconfigText({
    server,
    caPem: authority.certPem,
    client: admin,
    cluster: { 'tls-server-name': apiName },
  });
}

/** A fleet with these sites; outputs are keyed by `SITE/PATH`. */
function fleetOf(sites: readonly string[], outputs: Readonly<Record<string, string>>): string {
  const rows = sites.map((name, index) => `${name},192.168.126.${10 + index}\n`).join('');
  const folder = fleetFolder({ 'sites.csv': `name,ip\n${rows}` });
  for (const [path, text] of Object.entries(outputs)) {
    mkdirSync(dirname(join(folder, 'out', path)), { recursive: true });
    writeFileSync(join(folder, 'out', path), text);
  }
  return folder;
}

/** Writes reports as `serve` stores them. */
function report(folder: string, reports: Readonly<Record<string, object>>): void {
  writeFileSync(join(folder, '.sno-install-serve.json.reports'), JSON.stringify(reports));
}

const etcdFailed = {
  system: 'live',
  isComplete: false,
  stages: [{ service: 'bootkube', stage: 'wait-for-etcd', came: 'failed', at: '2026-01-01T00:00:00Z' }],
  receivedAt: '2026-01-01T00:00:01Z',
};
const complete = { system: 'node', isComplete: true, stages: [], receivedAt: '2026-01-01T00:00:01Z' };

async function wait(folder: string, waited: string, ...args: readonly string[]): Promise<CommandOutput> {
  const result = await snoInProcess(['fleet', 'wait-for', waited, '--dir', folder, ...args]);
  const plain = (text: string): string =>
    text.replaceAll(folder, 'FLEET').replace(/\b(?:after )\d+ s\b/g, 'after N s');
  return { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) };
}

describe('fleet wait-for', () => {
  it('succeeds when all sites are ready, with one line for equal sites', async () => {
    const server = await apiOf(installed);
    const sites = ['north-1', 'north-2', 'south-1'];
    const folder = fleetOf(
      sites,
      Object.fromEntries(sites.map((name) => [`${name}/auth/kubeconfig`, kubeconfig(server)])),
    );
    expect(await wait(folder, 'install-complete', '--timeout', '1m')).toEqual({
      code: 0,
      stdout:
        'SITES  LAST WORD\n    3  install complete, 4.18.3 (north-1, north-2, south-1)\n\n' +
        'install-complete: 3 sites: 3 reached (after N s)\n',
      // A slow machine also writes a line before the sites are reached.
      stderr: expect.stringMatching(
        /^waiting up to 1 min for install-complete of 3 sites\n(?:after N s: [0-2] of 3 sites reached\n)?after N s: 3 of 3 sites reached\n$/,
      ) as string,
    });
  });

  it('trusts only the API, and shows reports next to it', async () => {
    const server = await apiOf(ready);
    const folder = fleetOf(['north-1', 'north-2', 'north-3', 'north-4'], {
      'north-1/auth/kubeconfig': kubeconfig(server),
      'north-2/auth/kubeconfig': kubeconfig(refusing),
      'north-3/auth/kubeconfig': kubeconfig(refusing),
      'north-4/auth/kubeconfig': kubeconfig(refusing),
    });
    report(folder, {
      'north-1': etcdFailed,
      'north-2': complete,
      'north-3': etcdFailed,
      'north-4': etcdFailed,
    });
    const { code, stdout, stderr } = await wait(folder, 'node-ready', '--timeout', '0s');

    expect(code).toBe(1);
    expect(stdout).toBe(
      'SITES  LAST WORD\n' +
        '    2  not reached: the API does not answer: connection refused; last node report: bootkube wait-for-etcd failed (north-3, north-4)\n' +
        '    1  ready (north-1)\n' +
        '    1  not reached: the API does not answer: connection refused; last node report: the cluster is complete (north-2)\n\n' +
        'node-ready: 4 sites: 1 reached, 3 not reached (after N s)\n',
    );
    expect(stderr).toContain(
      'error[cluster/no-answer]: the API does not answer: connection refused; last node report: bootkube wait-for-etcd failed (2 sites: north-3, north-4)\n' +
        '   = hint: collect the logs with `sno-install gather`',
    );
  });

  it('stores only the last API results next to the outputs, for the page of serve', async () => {
    const folder = fleetOf(['north-1', 'north-2'], {
      'north-1/auth/kubeconfig': kubeconfig(await apiOf(ready)),
      'north-2/auth/kubeconfig': kubeconfig(refusing),
    });
    const listed = (): readonly string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const before = listed();
    expect((await wait(folder, 'node-ready', '--timeout', '0s')).code).toBe(1);

    const left = listed().filter((path) => !before.includes(path));
    expect(left).toEqual([join('out', 'wait.json')]);
    const text = readFileSync(join(folder, 'out/wait.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      version: 2,
      sites: {
        'north-1': { condition: 'node-ready', state: 'reached' },
        'north-2': {
          condition: 'node-ready',
          state: 'not-reached',
          message: 'the API does not answer: connection refused',
        },
      },
    });
  });

  it('decrypts kubeconfigs, and reports once all that it cannot decrypt', async () => {
    const { ours } = ageKeys;
    const sealed = await encryptAge(kubeconfig(await apiOf(ready)), { recipients: [ours.recipient] });
    const folder = fleetOf(['north-1', 'north-2'], {
      'north-1/auth/kubeconfig.age': sealed,
      'north-2/auth/kubeconfig.age': sealed,
    });
    const identity = join(scratchFolder(), 'key.txt');
    writeFileSync(identity, ours.identity);
    expect((await wait(folder, 'node-ready', '--identity', identity)).code).toBe(0);

    const { code, stderr } = await wait(folder, 'node-ready');
    expect(code).toBe(1);
    expect(stderr.match(/error\[state\/no-identity\]/g)).toHaveLength(1);
    expect(stderr).toContain('(all 2 sites)');
  });

  it('prints the result of each site as JSON', async () => {
    const folder = fleetOf(['north-1', 'north-2', 'north-3'], {
      'north-1/auth/kubeconfig': kubeconfig(await apiOf(ready)),
      'north-2/auth/kubeconfig': kubeconfig(refusing),
    });
    report(folder, { 'north-2': etcdFailed });
    const { code, stdout } = await wait(folder, 'node-ready', '--timeout', '0s', '--output', 'json');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      condition: 'node-ready',
      state: 'not-reached',
      problems: [
        { code: 'cluster/no-answer', sites: ['north-2'] },
        { code: 'fleet/not-made', sites: ['north-3'] },
      ],
      sites: [
        { name: 'north-1', state: 'reached', nodes: ['sno1'] },
        {
          name: 'north-2',
          state: 'not-reached',
          api: 'the API does not answer: connection refused',
          report: {
            message: 'bootkube wait-for-etcd failed',
            receivedAt: '2026-01-01T00:00:01Z',
            isFailing: true,
          },
        },
        { name: 'north-3', state: 'not-reached' },
      ],
    });
    expect(stdout).not.toContain('PRIVATE');
  });

  it('waits only for selected sites', async () => {
    const folder = fleetOf(['north-1', 'south-1'], {
      'north-1/auth/kubeconfig': kubeconfig(await apiOf(ready)),
    });
    expect((await wait(folder, 'node-ready', '--only', 'north-*')).code).toBe(0);
  });

  it.each([
    ['--jobs', '0'],
    ['--timeout', 'soon'],
  ])('refuses %s %s', async (option, value) => {
    const { code, stderr } = await wait(fleetFolder(), 'node-ready', option, value);
    expect([code, stderr.includes('error[usage/unknown-argument]')]).toEqual([2, true]);
  });
});
