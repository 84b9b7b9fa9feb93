// Builds the command. src/ is compiled into .cache/modules, a module each, which the scripts beside this one use; dist/ gets the
// same in few files, since reading some four hundred small ones takes longer than what is in them.
// New trees are made beside the old ones and swapped in, so that no deleted module lives on and a command that is running
// keeps its files until the swap. What was built of the very same files is left as it is.
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
/** What the build of `.cache/modules` and `dist/` is made of, and the hashes of that and of what came of it. */
const sources = [
  'src',
  'templates',
  'docs/fleet.schema.json',
  'docs/install-config.schema.json',
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
  // From where they stay: the bundle names its modules.
  await bundle('.cache/modules/cli.js', `${staging}/dist`);
  copyFileSync('scripts/build/cli.cjs', `${staging}/dist/cli.js`);
  chmodSync(`${staging}/dist/cli.js`, 0o755);
  // Another build never takes the word of this one that nothing has changed.
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

/** A hash of the files below some paths, with their names. */
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
