import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { cli, counted, median, node, sample, scratch } from './measuring.mjs';

const config = resolve('fixtures/configs/minimal/install-config.yaml');
const create = ['create', 'single-node-ignition-config'];
/** Start of sno-config.yaml; cold runs append the renderer and the key algorithm. */
const head = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n';
const installer = 'controlPlane:\n  render: Installer\n';
const ecdsa = 'certificates:\n  keyAlgorithm: ECDSA-P256\n';

/** Measurements of the command for one site. */
export function figuresOfCommand() {
  const warmDir = directory('');
  run(warmDir);
  const sound = directory('');
  const faulty = directory('', (text) => text.replace(/^baseDomain: .*/m, 'baseDomain: example_com'));
  const count = keysDrawnIn(warmDir);
  const empty = join(scratch, 'empty.js');
  writeFileSync(empty, '');
  return [
    ['bare `node -e 0`', median(sample(21, bare))],
    [
      `${count} RSA-2048 keys only, native and parallel`,
      median(sample(3, () => node(['--input-type=module', '-e', generateInParallel(count)]))),
    ],
    ...coldWithRsa('RSA-2048', ''),
    ...coldWithRsa('RSA-2048, `render: Installer`', installer),
    ...coldWithEcdsa('ECDSA-P256', ecdsa, 6),
    ...coldWithEcdsa('ECDSA-P256, `render: Installer`', `${installer}${ecdsa}`, 11),
    besideBare('baseline: node with an empty file', undefined, () => node([empty])),
    besideBare('create, warm', 2.75, () => run(warmDir)),
    besideBare('`--help`', 1.25, () => node([cli, '--help'])),
    besideBare('validate, invalid config', 3, () => node([cli, 'validate', '--dir', faulty], 1)),
    besideBare('create, invalid config', 3, () => node([cli, ...create, '--dir', faulty], 1)),
    besideBare('validate, no state', 4, () => node([cli, 'validate', '--dir', sound])),
    ['create, cold: peak memory', undefined, `${peakMegabytes(directory('')).toFixed(0)} MB`, '≤ 85 MB'],
    ['create, warm: peak memory', undefined, `${peakMegabytes(warmDir).toFixed(0)} MB`, '≤ 85 MB'],
  ];
}

/** Alternates with bare Node, so that other load on the machine affects both equally. */
function besideBare(name, goal, measure) {
  const pairs = Array.from({ length: 21 }, () => ({ bareMs: bare(), ms: measure() }));
  const ms = median(pairs.map((pair) => pair.ms));
  const times = ms / median(pairs.map((pair) => pair.bareMs));
  return [
    name,
    ms,
    `${times.toFixed(2)} × bare node`,
    goal === undefined ? undefined : `≤ ${goal} × bare node`,
  ];
}

/** Alternates with generating the same number of keys serially. */
function coldWithRsa(name, settings) {
  const dir = directory(settings);
  run(dir);
  const count = keysDrawnIn(dir);
  const rounds = Array.from({ length: 3 }, () => ({
    serialMs: node(['--input-type=module', '-e', generateSerially(count)]),
    coldMs: sample(3, () => inFreshDirectory(settings, run)),
  }));
  const serial = median(rounds.map(({ serialMs }) => serialMs));
  const cold = median(rounds.flatMap(({ coldMs }) => coldMs));
  const figure = `${(cold / serial).toFixed(2)} × its ${count} keys in sequence`;
  return [
    [`${count} RSA-2048 keys, generateKeyPairSync in sequence`, serial],
    [`create, cold, ${name}`, cold, figure, '≤ 0.35 × its keys in sequence'],
  ];
}

/** Includes the lower bound: Node generating only the RSA keys of service-account tokens, in parallel. */
function coldWithEcdsa(name, settings, goal) {
  const dir = directory(settings);
  run(dir);
  const keys = generateInParallel(keysDrawnIn(dir));
  return [
    besideBare(
      `baseline of the next: its ${keysDrawnIn(dir)} RSA-2048 keys, native and parallel`,
      undefined,
      () => node(['--input-type=module', '-e', keys]),
    ),
    besideBare(`create, cold, ${name}`, goal, () => inFreshDirectory(settings, run)),
  ];
}

/** Number of RSA keys that the runs in a directory have generated. */
function keysDrawnIn(dir) {
  const { generatedValues } = JSON.parse(readFileSync(join(dir, '.sno-install-state.json'), 'utf8'));
  return Object.keys(generatedValues).filter((label) => label.startsWith('key/rsa-2048/')).length;
}

function bare() {
  return node(['-e', '0']);
}

function run(dir) {
  return node([cli, ...create, '--dir', dir]);
}

/** A folder with the minimal install-config.yaml, changed by `edit`, and a sno-config.yaml with the settings, if any. */
function directory(settings, edit = (text) => text) {
  const dir = mkdtempSync(join(scratch, 'site-'));
  writeFileSync(join(dir, 'install-config.yaml'), edit(readFileSync(config, 'utf8')));
  if (settings !== '') writeFileSync(join(dir, 'sno-config.yaml'), `${head}${settings}`);
  return dir;
}

function inFreshDirectory(settings, measure) {
  return measure(directory(settings));
}

/** Peak resident memory of one run, in MB. */
function peakMegabytes(dir) {
  return counted([cli, ...create, '--dir', dir]).peakMegabytes;
}

function generateSerially(count) {
  const generate = generateKeyPairSync.name;
  return `import { ${generate} } from 'node:crypto'; for (let i = 0; i < ${count}; i += 1) ${generate}('rsa', { modulusLength: 2048 });`;
}

function generateInParallel(count) {
  return `import { generateKeyPair } from 'node:crypto'; for (let i = 0; i < ${count}; i += 1) generateKeyPair('rsa', { modulusLength: 2048 }, () => {});`;
}
