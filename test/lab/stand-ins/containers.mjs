// What the containers of the stub release do.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { data, perhapsDie, perhapsFail } from './lab-state.mjs';

/** Runs what a container would, and returns its exit status. */
export function runContainer({ options, key, words }) {
  const volumes = options.volume.map((text) => text.split(':'));
  if (options.entrypoint !== undefined) return runProgram(options.entrypoint, words, volumes);
  const entry = words.slice(
    0,
    words.findIndex((word) => word.startsWith('-')),
  );
  const tool = [key, ...entry.map((word) => basename(word))].join('-');
  const flags = words.slice(entry.length);
  if (flags.join() === '--help') return showHelp(tool);
  return runTool(tool, flags, volumes);
}

/** A program of the machine itself, which the image is said to hold. */
function runProgram(program, words, volumes) {
  const payload = join(data, 'payload');
  const args = words.map((word) => onMachine(word.replace(/^\/release-manifests/, payload), volumes));
  perhapsDie(`${program} ${words.find((word) => !word.startsWith('-')) ?? ''}`);
  if (perhapsFail(program)) return fail(`${program} was told to fail`);
  return spawn(program, args);
}

function showHelp(tool) {
  const folder = join(data, 'tools', tool);
  if (!existsSync(folder)) return fail(`Error: unknown command for ${tool}`);
  process.stdout.write(readFileSync(join(folder, 'help'), 'utf8'));
  return Number(readFileSync(join(folder, 'help-status'), 'utf8'));
}

function runTool(tool, flags, volumes) {
  const folder = join(data, 'tools', tool);
  const known = existsSync(folder) ? readFileSync(join(folder, 'flags'), 'utf8').split('\n') : [];
  const stranger = flags.find((flag) => !known.includes(flag.replace(/=.*/, '')));
  if (stranger !== undefined) return fail(`Error: unknown flag: ${stranger.replace(/=.*/, '')}`);
  perhapsDie(`${tool} begin`);
  if (perhapsFail(tool)) return fail(`${tool} was told to fail`);
  const inContainer = Object.fromEntries(flags.map((flag) => split(flag)));
  if (tool === 'cluster-bootstrap-bootstrap-in-place') return translate(inContainer, volumes);
  const given = Object.fromEntries(
    Object.entries(inContainer).map(([name, value]) => [name, onMachine(value, volumes)]),
  );
  const missing = Object.entries(given).find(([name, value]) => isInput(name) && !existsSync(value));
  if (missing) return fail(`${tool}: open ${missing[1]}: no such file or directory`);
  if (tool === 'cluster-bootstrap-start')
    return spawn(process.execPath, [
      join(import.meta.dirname, 'cluster-bootstrap.mjs'),
      JSON.stringify(given),
    ]);
  return leaveOutput(tool, folder, given['asset-output-dir'] ?? given['dest-dir'] ?? given['output-dir']);
}

function split(flag) {
  const [name, ...value] = flag.slice(2).split('=');
  return [name, value.join('=')];
}

/** Flags that name a file the tool reads. The authentication config may be absent. */
function isInput(name) {
  return (
    /(?:-input-dir|-input-file|-configmap-file|config-file|root-ca|kube-ca|pull-secret|image-references|manifests-dir|rendered-manifest-files|rendered-manifest-dir|feature-gate-manifest-path)$/.test(
      name,
    ) && !/output|cloud-provider-config|cluster-auth-file/.test(name)
  );
}

/** Half of the output, the place where a kill is in the middle, and the rest. */
function leaveOutput(tool, folder, target) {
  const source = join(folder, 'output');
  if (!existsSync(source) || target === undefined) return 0;
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  files.forEach((entry, index) => {
    if (index === Math.ceil(files.length / 2)) perhapsDie(`${tool} middle`);
    const path = join(entry.parentPath, entry.name);
    const to = join(target, path.slice(source.length + 1));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to);
  });
  return 0;
}

/** cluster-bootstrap's subcommand is Butane behind other flags; here it is the real Butane. */
function translate(given, volumes) {
  for (const name of ['asset-dir', 'input', 'output'])
    if (!given[name]) return fail(`Error: missing required flag: --${name}`);
  const assets = mkdtempSync('/run/sno-lab-assets-');
  for (const [from, to] of volumes) symlinkSync(from, join(assets, to.replace(/^\/assets\/?/, '')));
  const inside = (path) => path.replace(given['asset-dir'], assets);
  perhapsDie('butane');
  return spawn('/usr/libexec/sno-lab/butane', [
    ...(given['pretty'] === 'false' ? [] : ['--pretty']),
    '--files-dir',
    assets,
    '--output',
    inside(given['output']),
    inside(given['input']),
  ]);
}

function onMachine(word, volumes) {
  const [flag, value] = /^--[a-z-]+=\//.test(word)
    ? [word.slice(0, word.indexOf('=') + 1), word.slice(word.indexOf('=') + 1)]
    : ['', word];
  for (const [from, to] of volumes)
    if (value === to || value.startsWith(`${to}/`)) return flag + from + value.slice(to.length);
  return word;
}

function spawn(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) return fail(`${program}: ${error.message}`);
  return status ?? 137;
}

function fail(message) {
  console.error(message);
  return 1;
}
