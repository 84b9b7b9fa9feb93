// Builds the command. src/ is compiled to .cache/modules, one file per module, for the other scripts. dist/ contains the same code
// in few files, because loading about four hundred small files takes longer than running them.
// New trees are built next to the old ones and swapped in: deleted modules disappear, and a running command keeps its files until
// the swap. If no source has changed, nothing is built.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { bundle } from './build/bundle.mjs';

const staging = `.cache/build-${process.pid}`;
/** Inputs of `.cache/modules` and `dist/`. `receipt` records the hashes of inputs and outputs. */
const sources = [
  'src',
  'templates',
  'docs/fleet.schema.json',
  'docs/install-config.schema.json',
  'docs/payload-manifest.schema.json',
  'docs/payload.schema.json',
  'docs/rollout.schema.json',
  'docs/sno-config.schema.json',
  'scripts/build.mjs',
  'scripts/build',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
];
const receipt = '.cache/built-from';
const madeFrom = `${process.version} ${hashOf(sources)}`;
if (!isBuilt()) await build();

function isBuilt() {
  if (![receipt, 'dist', '.cache/modules'].every(existsSync)) return false;
  return readFileSync(receipt, 'utf8') === `${madeFrom} ${hashOf(['dist', '.cache/modules'])}`;
}

async function build() {
  process.on('exit', () => rmSync(staging, { recursive: true, force: true }));
  compile(`${staging}/modules`);
  replace('.cache/modules', `${staging}/modules`);
  // After the swap, because the bundle contains the paths of its modules.
  await bundle('.cache/modules/cli.js', `${staging}/dist`);
  copyFileSync('scripts/build/cli.cjs', `${staging}/dist/cli.js`);
  chmodSync(`${staging}/dist/cli.js`, 0o755);
  // Identifies the build: results cached by another build are not reused.
  writeFileSync(`${staging}/dist/build-id`, hashOf([`${staging}/dist`, 'templates', 'package-lock.json']));
  replace('dist', `${staging}/dist`);
  writeFileSync(receipt, `${madeFrom} ${hashOf(['dist', '.cache/modules'])}`);
}

function replace(folder, by) {
  rmSync(folder, { recursive: true, force: true });
  renameSync(by, folder);
}

function compile(folder) {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', folder];
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Hash of the names and contents of all files below some paths. */
function hashOf(roots) {
  const hash = createHash('sha256');
  for (const path of roots.flatMap(filesBelow))
    hash.update(path.replace(staging, '')).update(readFileSync(path));
  return hash.digest('hex');
}

function filesBelow(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
