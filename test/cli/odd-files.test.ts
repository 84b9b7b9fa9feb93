import { createServer } from 'node:http';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { fleetFiles, fleetFolder, fleetText } from '../fleet/files.js';
import { ageKeys } from '../support/age-keys.js';
import { bmcLogins } from '../support/bmc-logins.js';
import { snoInProcess } from '../support/in-process.js';
import { copyWithOdd, notFolders, oddCases, type OddRow } from '../support/odd-files.js';
import { listeningPort } from '../support/ports.js';
import { scaledMs } from '../support/time-scale.js';

const ecdsa = 'certificates:\n  keyAlgorithm: ECDSA-P256\n';

/** It answers 404, which is final: no command waits and tries again. */
const bmc = createServer((_request, response) => response.writeHead(404).end());
afterAll(() => bmc.close());

/** A fleet with one created site. */
let prepared = '';
beforeAll(async () => {
  const port = await listeningPort(bmc);
  prepared = fleetFolder({
    'fleet.yaml': fleetText('boot: {address: "${bmc}", credentials: bmc.yaml.age, plainHttp: true}\n'),
    'sites.csv': `name,ip,bmc\nnorth-1,192.168.126.10,http://127.0.0.1:${port}\n`,
    'base/sno-config.yaml': `${fleetFiles['base/sno-config.yaml'] ?? ''}${ecdsa}`,
    'bmc.yaml.age': await bmcLogins(),
    'rollout.yaml': 'wave: 1\n',
    'key.txt': ageKeys.ours.identity,
    'urls.json': JSON.stringify({ sites: [{ name: 'north-1', url: 'https://media.example.com/live.iso' }] }),
  });
  expect(await snoInProcess(['fleet', 'create', prepared])).toMatchObject({ code: 0, stderr: '' });
});

const logins = ['--identity', 'key.txt', '--media', 'urls.json'];
const boot = ['fleet', 'boot', ...logins];
const rollout = ['fleet', 'rollout', ...logins];
const reinstall = ['fleet', 'reinstall', 'north-1', ...logins, '--confirm', 'north-1'];
const validate = ['fleet', 'validate'];
const create = ['fleet', 'create'];
const waitFor = ['fleet', 'wait-for', 'node-ready', '--timeout', '0s'];
const printUrls = [
  'serve',
  '--fleet',
  '.',
  '--iso',
  'live.iso',
  '--url',
  'https://media.example.com',
  '--print-urls',
];
const site = ['--dir', 'out/north-1'];

const rows: readonly OddRow[] = [
  ...['fleet.yaml', 'sites.csv', 'base/sno-config.yaml', 'base/install-config.yaml'].map((path) => ({
    path,
    args: validate,
  })),
  ...['bmc.yaml.age', 'key.txt', 'urls.json', 'out/boot.json'].map((path) => ({ path, args: boot })),
  ...['rollout.yaml', 'out/boot.json', 'out/rollout.json'].map((path) => ({ path, args: rollout })),
  { path: 'out/rollout.csv', args: rollout },
  { path: 'out/reinstall.json', args: reinstall },
  ...['fleet.json', '.sno-install-fleet-key', 'north-1/.sno-install-state.json'].map((path) => ({
    path: `out/${path}`,
    args: create,
  })),
  // A link is replaced: the record only repeats the outputs of the run.
  {
    path: 'out/north-1/.sno-install-site.json',
    args: create,
    only: ['a folder', 'a FIFO', 'a dangling link'],
  },
  ...['worker.ign', 'metadata.json', 'auth/kubeconfig'].map((path) => ({
    path: `out/north-1/${path}`,
    args: create,
  })),
  ...['out', 'out/north-1', 'out/north-1/auth'].map((path) => ({ path, args: create, only: notFolders })),
  { path: 'out/north-1/.sno-install-pending/plan.json', args: create },
  { path: 'out/wait.json', args: waitFor },
  { path: 'out/.wait.json.new', args: waitFor, only: ['a folder'] },
  { path: 'out/north-1/auth/kubeconfig', args: waitFor },
  { path: 'out/north-1/auth/kubeconfig', args: ['wait-for', 'node-ready', '--timeout', '0s', ...site] },
  { path: '.sno-install-serve.json', args: printUrls },
  { path: '..sno-install-serve.json.new', args: printUrls, only: ['a folder'] },
  { path: 'out/north-1/receipt.json', args: ['verify', ...site] },
  { path: 'out/north-1/worker.ign', args: ['verify', ...site] },
  { path: 'out/north-1/.sno-install-state.json', args: ['state', 'decrypt', ...site] },
  { path: 'bundle.tar.gz', args: ['analyze', 'bundle.tar.gz'] },
];

const cases = oddCases(rows);

// A FIFO that a command opens without O_NONBLOCK hangs the test.
it.each(cases)(
  '$command reports $kind as $path',
  { timeout: scaledMs(20_000) },
  async ({ path, args, kind }) => {
    const { dir } = copyWithOdd(prepared, { path, kind });

    const { code, stderr } = await snoInProcess(args, { cwd: dir });

    expect([1, 2, 3]).toContain(code);
    const name = path.split('/').at(-1) ?? '';
    const reported = stderr
      .split('\n\n')
      .filter((each) => /^(?:error|warning)\[/m.test(each) && each.includes(name));
    expect(
      reported.filter((each) => /^ +--> |^ +(?:= )?hint: /m.test(each) || each.includes(` ${path} `)),
      stderr,
    ).not.toEqual([]);
  },
);
