import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';

import { describe } from 'vitest';

import { decodeDataUrl } from '../../src/formats/data-url.js';
import type { IgnitionConfig, IgnitionFile, IgnitionUnit } from '../../src/ignition/types.js';
import { describeWith, isRoot, pathOfProgram } from './programs.js';

/** A suite that applies configs with the real Ignition engine. It needs root, because the engine sets owners and creates users. */
export function describeWithIgnition(title: string, suite: () => void): void {
  if (isRoot() || process.env['CI'] !== undefined)
    describeWith(['ignition', 'ignition-validate'], title, suite);
  else describe.skip(`${title} (needs root: run the tests with sudo)`, suite);
}

/** The output of ignition-validate. Empty for a valid config. Messages contain positions, not contents. */
export function validateWithIgnition(configText: string): string {
  const program = programPath('ignition-validate');
  const { status, stdout, stderr } = spawnSync(program, ['-'], { input: configText, encoding: 'utf8' });
  return status === 0 && stdout + stderr === '' ? '' : `exit ${status}: ${stdout}${stderr}`;
}

/**
 * Applies a config to the empty folder `scratch`/root like a first boot, and returns that folder. Throws the engine's error
 * message without the config, which the engine also dumps. `within` is a command prefix, such as one that enters a network
 * namespace.
 */
export function layWithIgnition(configText: string, scratch: string, within: readonly string[] = []): string {
  const root = join(scratch, 'root');
  seedRoot(root);
  const [configFile, systemFolder, tools] = ['config.ign', 'system', 'tools'].map((name) =>
    join(scratch, name),
  );
  if (!configFile || !systemFolder || !tools) throw new Error('no scratch folder');
  writeFileSync(configFile, configText, { mode: 0o600 });
  // The engine switches to the user whose keys it writes, and that user must reach the root.
  chmodSync(scratch, 0o711);
  mkdirSync(systemFolder);
  mkdirSync(tools);
  symlinkSync('/bin/true', join(tools, 'setfiles'));
  for (const stage of ['fetch', 'files']) {
    runStage(stage, scratch, within, {
      PATH: [tools, process.env['PATH'] ?? ''].join(delimiter),
      IGNITION_CONFIG_FILE: configFile,
      IGNITION_SYSTEM_CONFIG_DIR: systemFolder,
    });
  }
  return root;
}

/** Differences between a root and its config, one line each: contents, modes and owners of files, units, users, and extra files. */
export function differencesFromConfig(root: string, config: IgnitionConfig): readonly string[] {
  const files = config.storage?.files ?? [];
  const units = config.systemd?.units ?? [];
  const expected = new Set([
    ...files.map(({ path }) => path),
    ...units.flatMap((unit) => unitFiles(unit).map(({ path }) => path)),
  ]);
  return [
    ...files.flatMap((file) => fileDifferences(root, file)),
    ...(config.storage?.directories ?? []).flatMap(({ path, mode }) => metadataDifferences(root, path, mode)),
    ...units.flatMap((unit) => unitDifferences(root, unit)),
    ...presetDifferences(root, units),
    ...userDifferences(root, config),
    ...laidFiles(root)
      .filter((path) => !expected.has(path) && !isOfTheSystem(path))
      .map((path) => `${path} is in no entry of the config`),
  ];
}

/** Every file and link below a root, as sorted absolute paths inside it. */
function laidFiles(root: string): readonly string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => !lstatSync(join(root, path)).isDirectory())
    .map((path) => `/${path}`)
    .toSorted();
}

function seedRoot(root: string): void {
  const seeds = {
    'etc/passwd': 'root:x:0:0:root:/root:/bin/bash\n',
    'etc/group': 'root:x:0:\n',
    'etc/selinux/config': 'SELINUXTYPE=targeted\n',
    'etc/selinux/targeted/contexts/files/file_contexts': '',
  };
  mkdirSync(join(root, 'etc/selinux/targeted/contexts/files'), { recursive: true });
  for (const [path, text] of Object.entries(seeds)) writeFileSync(join(root, path), text);
}

function runStage(
  stage: string,
  scratch: string,
  within: readonly string[],
  variables: NodeJS.ProcessEnv,
): void {
  const options = {
    stage,
    platform: 'file',
    root: join(scratch, 'root'),
    'config-cache': join(scratch, 'config-cache'),
    'state-file': join(scratch, 'state'),
    neednet: join(scratch, 'neednet'),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const words = [...within, programPath('ignition'), ...args, '--log-to-stdout'];
  const { status, stdout } = spawnSync('env', words, {
    encoding: 'utf8',
    env: variables,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  const said = stdout.split('\n').filter((line) => /^(?:CRITICAL|ERROR|WARNING)/.test(line));
  throw new Error(
    `Ignition stage ${stage} ended with ${status}: ${said.map((line) => line.slice(0, 300)).join('; ')}`,
  );
}

function programPath(name: string): string {
  const path = pathOfProgram(name);
  if (path === undefined) throw new Error(`${name} is missing: apt-get install ignition`);
  return path;
}

function fileDifferences(root: string, file: IgnitionFile): readonly string[] {
  const resources = file.contents ? [file.contents] : (file.append ?? []);
  const wanted = Buffer.concat(
    resources.map(({ source }) => decodeDataUrl(source) ?? Buffer.from('not decoded')),
  );
  return [...metadataDifferences(root, file.path, file.mode), ...bytesDifferences(root, file.path, wanted)];
}

function metadataDifferences(root: string, path: string, mode: number): readonly string[] {
  const laid = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (!laid) return [`${path} is missing`];
  const is = `${(laid.mode & 0o7777).toString(8)} ${laid.uid}:${laid.gid}`;
  const want = `${mode.toString(8)} 0:0`;
  return is === want ? [] : [`${path} is ${is}, expected ${want}`];
}

function bytesDifferences(root: string, path: string, wanted: Buffer): readonly string[] {
  const laid = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (!laid?.isFile()) return [];
  return readFileSync(join(root, path)).equals(wanted) ? [] : [`${path} has other contents`];
}

function unitFiles({
  name,
  contents,
  dropins = [],
}: IgnitionUnit): readonly { path: string; text: string }[] {
  const path = `/etc/systemd/system/${name}`;
  return [
    ...(contents === undefined || contents === '' ? [] : [{ path, text: contents }]),
    ...dropins.map((dropin) => ({ path: `${path}.d/${dropin.name}`, text: dropin.contents })),
  ];
}

function unitDifferences(root: string, unit: IgnitionUnit): readonly string[] {
  if (unit.mask === true) {
    const path = `/etc/systemd/system/${unit.name}`;
    return readlinkSync(join(root, path)) === '/dev/null' ? [] : [`${path} is not masked`];
  }
  return unitFiles(unit).flatMap(({ path, text }) => [
    ...metadataDifferences(root, path, 0o644),
    ...bytesDifferences(root, path, Buffer.from(text)),
  ]);
}

const presetPath = '/etc/systemd/system-preset/20-ignition.preset';

function presetDifferences(root: string, units: readonly IgnitionUnit[]): readonly string[] {
  const is = linesOf(root, presetPath);
  const want = units.filter(({ enabled }) => enabled === true).map(({ name }) => `enable ${name}`);
  return sameSet(is, want) ? [] : [`${presetPath} says ${is.join(', ')}, expected ${want.join(', ')}`];
}

function userDifferences(root: string, { passwd }: IgnitionConfig): readonly string[] {
  const known = linesOf(root, '/etc/passwd').map((line) => line.split(':')[0]);
  return (passwd?.users ?? []).flatMap(({ name, sshAuthorizedKeys }) => [
    ...(known.includes(name) ? [] : [`user ${name} is missing`]),
    ...(sameSet(linesOf(root, keysPath(name)), sshAuthorizedKeys) ? [] : [`the keys of user ${name} differ`]),
  ]);
}

function keysPath(user: string): string {
  return `/home/${user}/.ssh/authorized_keys.d/ignition`;
}

function linesOf(root: string, path: string): readonly string[] {
  const exists = lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  return exists
    ? readFileSync(join(root, path), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return JSON.stringify(left.toSorted()) === JSON.stringify(right.toSorted());
}

/** Files created by the test setup, useradd or the engine. */
function isOfTheSystem(path: string): boolean {
  return (
    /^\/etc\/(?:passwd|group|shadow|gshadow|subuid|subgid)-?$/.test(path) ||
    /^\/etc\/(?:selinux\/|\.pwd\.lock$)/.test(path) ||
    /^\/home\/[^/]+\//.test(path) ||
    path === presetPath ||
    path === '/etc/.ignition-result.json'
  );
}
