// A stub of a tool of the release, in a separate image. It prints its --help, accepts only the flags of its release, reads
// its input files and writes the files that the real tool would render.
//
//   tool.mjs IMAGE_KEY [ENTRY…] [FLAG…]
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { perhapsDie, perhapsFail } from '../stand-ins/lab-state.mjs';

const words = process.argv.slice(2);
const firstFlag = words.findIndex((word) => word.startsWith('-'));
const entry = words.slice(0, firstFlag < 0 ? words.length : firstFlag);
const flags = words.slice(entry.length);
const tool = entry.join('-');
const folder = join('/lab/tools', tool);
process.exitCode = main();

function main() {
  if (!existsSync(folder)) return fail(`Error: unknown command for ${tool}`);
  if (flags.join() === '--help') return showHelp();
  const known = readFileSync(join(folder, 'flags'), 'utf8').split('\n');
  const stranger = flags.map((flag) => flag.replace(/=.*/, '')).find((flag) => !known.includes(flag));
  if (stranger !== undefined) return fail(`Error: unknown flag: ${stranger}`);
  perhapsDie(`${tool} begin`);
  if (perhapsFail(tool)) return fail(`${tool} fails as configured`);
  const given = Object.fromEntries(flags.map((flag) => split(flag)));
  if (tool === 'cluster-bootstrap-bootstrap-in-place') return translate(given);
  const missing = Object.entries(given).find(([name, value]) => isInput(name) && !existsSync(value));
  if (missing) return fail(`${tool}: open ${missing[1]}: no such file or directory`);
  if (tool === 'cluster-bootstrap-start')
    return spawn(process.execPath, [
      join(import.meta.dirname, 'cluster-bootstrap.mjs'),
      JSON.stringify(given),
    ]);
  fillFeatureGate(given['rendered-manifest-dir']);
  return leaveOutput(given['asset-output-dir'] ?? given['dest-dir'] ?? given['output-dir']);
}

function showHelp() {
  process.stdout.write(readFileSync(join(folder, 'help'), 'utf8'));
  return Number(readFileSync(join(folder, 'help-status'), 'utf8'));
}

function split(flag) {
  const [name, ...value] = flag.slice(2).split('=');
  return [name, value.join('=')];
}

/** Flags that name an input file. The authentication config may be absent. */
function isInput(name) {
  return (
    /(?:-input-dir|-input-file|-configmap-file|config-file|root-ca|kube-ca|pull-secret|image-references|manifests-dir|rendered-manifest-files|rendered-manifest-dir|feature-gate-manifest-path)$/.test(
      name,
    ) && !/output|cloud-provider-config|cluster-auth-file/.test(name)
  );
}

/** Writes half of the output, then a possible kill, then the rest. */
function leaveOutput(target) {
  const source = join(folder, 'output');
  if (!existsSync(source) || target === undefined) return 0;
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  files.forEach((each, index) => {
    if (index === Math.ceil(files.length / 2)) perhapsDie(`${tool} middle`);
    const path = join(each.parentPath, each.name);
    const to = join(target, path.slice(source.length + 1));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to);
  });
  return 0;
}

/** The API renderer replaces the installer's FeatureGate. Source: openshift/api payload-command/render */
function fillFeatureGate(manifests) {
  const filled = join(folder, 'feature-gate');
  if (existsSync(filled)) writeFileSync(join(manifests, '99_feature-gate.yaml'), readFileSync(filled));
}

/** This subcommand of cluster-bootstrap is Butane with other flags. The stub runs the real Butane. */
function translate(given) {
  for (const name of ['asset-dir', 'input', 'output'])
    if (!given[name]) return fail(`Error: missing required flag: --${name}`);
  perhapsDie('butane');
  return spawn('/usr/bin/butane', [
    ...(given['pretty'] === 'false' ? [] : ['--pretty']),
    '--files-dir',
    given['asset-dir'],
    '--output',
    given['output'],
    given['input'],
  ]);
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
