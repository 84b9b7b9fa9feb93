import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';

import { buildProgram } from '../../src/cli/program.js';
import { leafCommands, wordsOf } from '../support/leaf-commands.js';
import { ageKeys } from '../support/age-keys.js';
import { fleetFolder, fleetText } from '../fleet/files.js';
import { liveIso } from '../media/support/live-iso.js';
import { dataUrl } from '../../src/formats/data-url.js';
import { serializeReceipt } from '../../src/disk/receipt/receipt.js';
import { streamJson } from '../media/support/stream-json.js';
import { packedIso } from '../media/support/miniso.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';
import { soundMediumReceipt, soundReceipt } from '../support/sound-receipt.js';
import { throwawayState } from '../support/throwaway-state.js';

const schema = JSON.parse(readFileSync('docs/output.schema.json', 'utf8')) as Record<string, unknown>;
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
});
ajv.addSchema(schema, 'output');

let state = '';
let full: Buffer = Buffer.alloc(0);
/** A minimal ISO: its kernel downloads the root file system. */
const smallIso = Buffer.from(
  liveIso().toString('latin1').replaceAll('coreos.liveiso=rhcos-9.6.20', 'coreos.live.rootfs_url=http'),
  'latin1',
);
beforeAll(async () => {
  ({ full } = await packedIso());
  const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
  state = await throwawayState({ 'install-config.yaml': config });
});

const installerRendered =
  'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\ncontrolPlane: {render: Installer}\n';

/** A folder with a valid site `site`, and `faulty`, `empty` and `served`. The state avoids generating keys. */
function sites(): string {
  const folder = scratchFolder();
  for (const name of ['site', 'faulty', 'empty', 'served']) mkdirSync(join(folder, name));
  copyFileSync('fixtures/configs/minimal/install-config.yaml', join(folder, 'site/install-config.yaml'));
  copyFileSync('fixtures/readme/mistakes.yaml', join(folder, 'faulty/install-config.yaml'));
  cpSync('fixtures/configs/minimal', join(folder, 'rendered'), { recursive: true });
  writeFileSync(join(folder, 'rendered/sno-config.yaml'), installerRendered);
  for (const name of ['site', 'rendered']) {
    cpSync(join(folder, name), join(folder, 'stated', name), { recursive: true });
    writeFileSync(join(folder, 'stated', name, '.sno-install-state.json'), state, { mode: 0o600 });
  }
  writeFileSync(join(folder, 'state.json'), state, { mode: 0o600 });
  writeFileSync(join(folder, 'other.json'), state, { mode: 0o600 });
  writeFileSync(join(folder, 'pruned.json'), state, { mode: 0o600 });
  const location = 'http://127.0.0.1:1/live.iso';
  writeFileSync(join(folder, 'stream.json'), streamJson({ location }));
  writeFileSync(join(folder, 'live.iso'), liveIso());
  writeFileSync(join(folder, 'full.iso'), full);
  writeFileSync(join(folder, 'small.iso'), smallIso);
  copyFileSync('test/review/sample-certificate.pem', join(folder, 'ca.pem'));
  writeFileSync(join(folder, 'receipt.json'), serializeReceipt(soundReceipt));
  writeFileSync(join(folder, 'medium.receipt.json'), serializeReceipt(soundMediumReceipt));
  cpSync(fleetFolder({ 'sites.csv': 'name,ip\nnorth-1,10.0.0.1\n' }), join(folder, 'fleet'), {
    recursive: true,
  });
  cpSync(fleetFolder(), join(folder, 'sound'), { recursive: true });
  cpSync('fixtures/import/ztp', join(folder, 'ztp'), { recursive: true });
  const listed = fleetFolder({ 'out/north-1/node.ign': configWithCertificate() });
  cpSync(listed, join(folder, 'listed'), { recursive: true });
  const encrypted = fleetText(`recipients: [${ageKeys.ours.recipient}]\nencryptOutputs: true\n`);
  cpSync(fleetFolder({ 'fleet.yaml': encrypted }), join(folder, 'stored'), { recursive: true });
  const boot = fleetText("boot: { address: '${bmc}' }\n");
  const booted = fleetFolder({
    'fleet.yaml': boot,
    'sites.csv': 'name,bmc\nnorth-1,192.0.2.1\n',
    'rollout.yaml': 'wave: 10%\n',
  });
  cpSync(booted, join(folder, 'booted'), { recursive: true });
  for (const path of ['node.ign', 'served/bootstrap-in-place-for-live-iso.ign'])
    writeFileSync(join(folder, path), '{"ignition":{"version":"3.2.0"}}');
  return folder;
}

function configWithCertificate(): string {
  const source = dataUrl(readFileSync('test/review/sample-certificate.pem', 'utf8'));
  const files = [{ path: '/etc/ca.crt', contents: { source } }];
  return JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } });
}

const { recipient } = ageKeys.ours;
const minimal = ['--minimal', '--rootfs', 'http://192.0.2.1/rootfs.img', '--rootfs-out', 'rootfs.img'];
const release = ['--to', `quay.io/release:4.21.9-x86_64@sha256:${'a'.repeat(64)}`];
const images = ['--media-url', 'https://media.example.com/{site}/live.iso'];
const shards = ['--shards', '2', '--store', 's3://sites', '--image', 'sno-install.test/sno-install:1'];
const drawn = ['--dir', 'site', '--state', 'state.json'];
const cases: readonly { args: readonly string[]; part: string; code: number }[] = [
  { args: ['create', 'single-node-ignition-config', ...drawn], part: 'create', code: 0 },
  { args: ['create', 'manifests', ...drawn], part: 'create', code: 0 },
  {
    args: ['render', 'control-plane', '--dir', 'rendered', '--state', 'state.json'],
    part: 'create',
    code: 0,
  },
  { args: ['create', 'single-node-iso', '--iso', 'live.iso', ...drawn], part: 'iso', code: 0 },
  {
    args: ['create', 'single-node-iso', '--iso', 'full.iso', '--out', 'minimal.iso', ...minimal, ...drawn],
    part: 'iso',
    code: 0,
  },
  {
    args: ['create', 'single-node-pxe', '--rootfs', 'http://192.0.2.1/rootfs.img', ...drawn],
    part: 'pxe',
    code: 0,
  },
  { args: ['create', 'single-node-iso', '--iso', 'node.ign', ...drawn], part: 'failure', code: 1 },
  { args: ['render', 'ignition', 'node.ign', '--out', 'tree'], part: 'tree', code: 0 },
  {
    args: ['render', 'libvirt', '--dir', 'rendered', '--out', 'machine'],
    part: 'virtualMachine',
    code: 0,
  },
  { args: ['render', 'ignition', '--dir', 'empty', '--out', 'tree'], part: 'failure', code: 1 },
  { args: ['certs', 'ca.pem', 'rendered/sno-config.yaml'], part: 'certs', code: 1 },
  { args: ['why', '/etc/motd', ...drawn], part: 'why', code: 0 },
  { args: ['why', 'nothing', ...drawn], part: 'failure', code: 1 },
  { args: ['inspect', 'node.ign'], part: 'inspect', code: 0 },
  { args: ['inspect', 'live.iso'], part: 'inspect', code: 0 },
  { args: ['inspect', 'small.iso'], part: 'inspect', code: 0 },
  { args: ['inspect', 'ca.pem'], part: 'failure', code: 1 },
  { args: ['certs', 'nothing.pem'], part: 'failure', code: 2 },
  { args: ['fleet', 'init', 'new-fleet'], part: 'fleetInit', code: 0 },
  { args: ['fleet', 'validate', '--dir', 'fleet'], part: 'fleet', code: 1 },
  { args: ['fleet', 'validate', '--dir', 'site'], part: 'fleet', code: 1 },
  { args: ['fleet', 'create', '--dir', 'fleet', '--jobs', '1'], part: 'fleetCreate', code: 1 },
  { args: ['fleet', 'create', '--jobs', 'all'], part: 'failure', code: 2 },
  { args: ['fleet', 'job', '--fleet-id', 'ab'.repeat(16), ...shards], part: 'fleetJob', code: 0 },
  {
    args: ['fleet', 'pack', '--dir', 'fleet', '--shards', '2', '--store', 's3://sites'],
    part: 'fleetPack',
    code: 1,
  },
  { args: ['fleet', 'job', '--dir', 'fleet', ...shards], part: 'failure', code: 1 },
  { args: ['fleet', 'collect', '--dir', 'fleet', '--store', 's3://sites'], part: 'fleetCollect', code: 1 },
  { args: ['fleet', 'status', '--dir', 'fleet'], part: 'fleetStatus', code: 1 },
  { args: ['fleet', 'golden', '--dir', 'sound', '--out', 'golden'], part: 'fleetGolden', code: 0 },
  { args: ['fleet', 'golden', '--dir', 'fleet', '--out', 'golden'], part: 'fleetGolden', code: 1 },
  { args: ['fleet', 'diff', 'sound', 'sound'], part: 'fleetDiff', code: 0 },
  { args: ['fleet', 'diff', 'sound', 'empty'], part: 'fleetDiff', code: 1 },
  { args: ['fleet', 'render', 'inputs', '--dir', 'sound', '--out', 'read'], part: 'fleetGolden', code: 0 },
  { args: ['fleet', 'certs', '--dir', 'listed'], part: 'fleetCerts', code: 1 },
  { args: ['fleet', 'why', 'north-1', '/etc/motd', '--dir', 'sound'], part: 'why', code: 0 },
  { args: ['fleet', 'boot', '--dir', 'booted', ...images, '--dry-run'], part: 'boot', code: 0 },
  { args: ['fleet', 'boot', '--dir', 'fleet', ...images], part: 'failure', code: 1 },
  { args: ['fleet', 'rollout', 'booted', '--dry-run'], part: 'rolloutPlan', code: 0 },
  { args: ['fleet', 'rollout', 'fleet'], part: 'failure', code: 1 },
  { args: ['fleet', 'report', 'sound', '--no-bmc'], part: 'fleetReport', code: 0 },
  { args: ['fleet', 'reinstall', 'north-1', '--dir', 'fleet', ...images], part: 'failure', code: 1 },
  { args: ['fleet', 'upgrade', 'booted', ...release, '--dry-run'], part: 'rolloutPlan', code: 0 },
  { args: ['fleet', 'upgrade', 'booted', ...release, '--preflight'], part: 'fleetWait', code: 1 },
  { args: ['import', 'install-dir', 'site', '--dir', 'imported'], part: 'import', code: 0 },
  { args: ['import', 'cluster-instance', 'ztp', '--fleet', '--dir', 'imported'], part: 'import', code: 0 },
  { args: ['import', 'agent-config', 'site', '--dir', 'imported'], part: 'failure', code: 1 },
  { args: ['serve', '--print-urls', 'served', '--dir', 'served'], part: 'urls', code: 0 },
  { args: ['serve', '--revoke', 'served', 'served', '--dir', 'served'], part: 'revoked', code: 0 },
  { args: ['serve', 'site', '--dir', 'site'], part: 'failure', code: 2 },
  { args: ['golden', 'site', '--out', 'golden'], part: 'golden', code: 0 },
  { args: ['golden', 'site', '--out', 'golden', '--check'], part: 'failure', code: 1 },
  { args: ['verify', 'receipt.json'], part: 'verify', code: 0 },
  { args: ['verify', 'site'], part: 'verify', code: 1 },
  { args: ['verify', 'medium.receipt.json'], part: 'verify', code: 0 },
  { args: ['fleet', 'apply', 'sound'], part: 'fleetWait', code: 1 },
  { args: ['fleet', 'apply', 'sound', '--diff'], part: 'fleetDiff', code: 1 },
  { args: ['fleet', 'drift', 'sound'], part: 'fleetDrift', code: 1 },
  { args: ['fleet', 'drift', 'fleet'], part: 'failure', code: 1 },
  { args: ['fleet', 'apply', 'fleet'], part: 'failure', code: 1 },
  { args: ['apply', 'site'], part: 'failure', code: 2 },
  { args: ['apply', 'site', '--timeout', 'soon'], part: 'failure', code: 2 },
  { args: ['diff', 'stated/site', 'stated/rendered'], part: 'diff', code: 1 },
  { args: ['diff', 'node.ign', 'node.ign'], part: 'diff', code: 0 },
  { args: ['diff', '--sheet', 'stated/site', 'faulty'], part: 'failure', code: 1 },
  { args: ['diff', '--sheet', 'stated/site', 'stated/rendered'], part: 'diffSheet', code: 1 },
  { args: ['inspect', 'stated/site'], part: 'inspect', code: 0 },
  { args: ['diff', 'node.ign'], part: 'failure', code: 2 },
  { args: ['create', 'single-node-ignition-config', '--dir', 'faulty'], part: 'failure', code: 1 },
  { args: ['create', 'install-config', '--dir', 'empty'], part: 'path', code: 0 },
  { args: ['create', 'sno-config', '--dir', 'empty'], part: 'path', code: 0 },
  { args: ['state', 'encrypt', '--state', 'other.json', '--recipient', recipient], part: 'path', code: 0 },
  { args: ['state', 'decrypt', '--state', 'other.json'], part: 'failure', code: 1 },
  { args: ['state', 'prune', '--authorities', '--state', 'pruned.json'], part: 'prune', code: 0 },
  { args: ['validate', ...drawn], part: 'validate', code: 0 },
  { args: ['validate', 'site', 'faulty'], part: 'validate', code: 1 },
  {
    args: ['preflight', '--timeout', '1s', '--dns-server', '127.0.0.1:1', ...drawn],
    part: 'preflight',
    code: 1,
  },
  { args: ['preflight', '--timeout', '0s', ...drawn], part: 'failure', code: 2 },
  {
    args: ['media', 'download', '--stream', 'stream.json', '--out', 'got.iso'],
    part: 'mediaDownload',
    code: 3,
  },
  { args: ['media', 'download', '--stream', 'empty', '--out', 'got.iso'], part: 'failure', code: 2 },
  { args: ['images', ...drawn], part: 'images', code: 0 },
  { args: ['images', '--target', 'aio-ignition', ...drawn], part: 'images', code: 0 },
  { args: ['graph', 'aio-ignition'], part: 'graph', code: 0 },
  { args: ['graph', 'nothing'], part: 'failure', code: 2 },
  { args: ['explain', 'config/replicas'], part: 'explainedCode', code: 0 },
  { args: ['explain', 'disk-cannot-be-marked'], part: 'explainedFault', code: 0 },
  { args: ['explain', 'networking.machineNetwork'], part: 'explainedField', code: 0 },
  { args: ['explain'], part: 'explainedConfigs', code: 0 },
  { args: ['explain', 'hostname'], part: 'explainedField', code: 0 },
  { args: ['explain', 'metadata.name'], part: 'explainedField', code: 0 },
  { args: ['version'], part: 'version', code: 0 },
  { args: ['wait-for', 'node-ready', '--dir', 'empty'], part: 'wait', code: 2 },
  { args: ['fleet', 'wait-for', 'node-ready', '--dir', 'sound'], part: 'fleetWait', code: 1 },
  { args: ['fleet', 'wait-for', 'node-ready', '--jobs', '0'], part: 'failure', code: 2 },
  { args: ['gather'], part: 'failure', code: 2 },
  { args: ['analyze', 'nothing.tar.gz'], part: 'failure', code: 1 },
  { args: ['validat'], part: 'failure', code: 2 },
  { args: ['--no-such-option'], part: 'failure', code: 2 },
  { args: [], part: 'failure', code: 2 },
  { args: ['validate', '--dir', 'a', '--dir', 'b'], part: 'failure', code: 2 },
];

describe('with --output json', () => {
  it.each(cases)('`$args` prints one object of the schema', async ({ args, part, code }) => {
    const result = await snoInProcess([...args, '--output', 'json'], { cwd: sites() });
    const printed: unknown = JSON.parse(result.stdout);
    const isValid = ajv.getSchema(`output#/$defs/${part}`);

    expect(isValid?.(printed), JSON.stringify(isValid?.errors)).toBe(true);
    expect(result.code).toBe(code);
    expect(printed).toMatchObject({ ok: code === 0 });
  });

  it('files are named from the working directory', async () => {
    const cwd = sites();
    const printed = async (dir: string): Promise<unknown> =>
      JSON.parse((await snoInProcess(['validate', '--dir', dir, '--output', 'json'], { cwd })).stdout);
    const want = { problems: [{ at: { file: 'faulty/install-config.yaml' } }, {}, {}] };
    expect(await printed('faulty')).toMatchObject(want);
    expect(await printed(join(cwd, 'faulty'))).toMatchObject(want);
  });
});

/** Parts of commands of which no run above succeeds; some need a machine, a BMC or a key. `completion` prints no JSON. */
const elsewhere: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['bootstrap-complete', 'install-complete', 'post-install-complete'].flatMap((condition) => [
      [`wait-for ${condition}`, 'wait'],
      [`fleet wait-for ${condition}`, 'fleetWait'],
    ]),
  ),
  analyze: 'analyze',
  apply: 'apply',
  completion: 'failure',
  'create aio-ignition': 'create',
  'create payload': 'payload',
  enrich: 'path',
  'fleet discover': 'discover',
  'fleet reinstall': 'rollout',
  'fleet serve': 'serve',
  gather: 'gather',
  'import agent-config': 'import',
  'import policies': 'import',
  'payload write': 'writtenPayload',
  'state decrypt': 'path',
  'state rotate': 'path',
};

it('every command has a part of the schema', () => {
  const defined = schema['$defs'] as Readonly<Record<string, unknown>>;
  const without = leafCommands(buildProgram(() => undefined))
    .map((command) => wordsOf(command).join(' '))
    .filter((name) => !cases.some(({ args, part }) => part !== 'failure' && isOf(name, args)))
    .filter((name) => defined[elsewhere[name] ?? ''] === undefined);
  expect(without).toEqual([]);
});

function isOf(name: string, args: readonly string[]): boolean {
  return `${args.join(' ')} `.startsWith(`${name} `);
}

it('rejects an output without fields', () => {
  const isValid = ajv.getSchema('output');
  expect(isValid?.({ ok: true, problems: [{ code: 'config/replicas' }] })).toBe(false);
  expect(isValid?.({ ok: true, problems: [], surprise: 1 })).toBe(false);
});
