// Builds the command. src/ is compiled into .cache/modules, a module each, which the scripts beside this one use; dist/ gets the
// same in few files, since reading some four hundred small ones takes longer than what is in them.
// New trees are made beside the old ones and swapped in, so that no deleted module lives on and a command that is running
// keeps its files until the swap. What was built of the very same files is left as it is.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

/** Packages of many small files that nearly every command reads; the others stay where they are. */
const bundledPackages = /^(?:commander|yaml)(?:\/|$)/;
/**
 * What is read together is one file, each with all that it imports: what the command line takes, what judges the inputs (with what the
 * judge of Ignition configs, which is large and seldom needed, shares with the making), what makes a cluster in place. What else is imported when it is needed stays a file of its own.
 */
const groups = [
  { name: 'start', tags: ['$initial'], priority: 3 },
  {
    name: 'judge',
    test: /modules\/(cli\/(create|validate)|assets\/(config\/judging|identity\/state-cluster|live\/in-place-checks|manifests\/(user-manifests|needed-edits))|formats\/(data-url|json-schema)|ignition\/(check-paths|unit-text))\.js$/,
    priority: 2,
  },
  {
    name: 'make',
    test: /modules\/assets\/(ignition\/(single-node-ignition|pointer)|identity\/metadata|manifests\/all)\.js$/,
    priority: 1,
  },
];

const staging = `.cache/build-${process.pid}`;
/** What the build of `.cache/modules` and `dist/` is made of, and the hashes of that and of what came of it. */
const sources = [
  'src',
  'templates',
  'scripts/build.mjs',
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

/** Builds dist/ from the compiled modules. */
async function bundle(input, dir) {
  const { rolldown } = await import('rolldown');
  const bundler = await rolldown({ input: resolve(input), platform: 'node', external: isOutside });
  await bundler.write({
    dir,
    // `require` reads a file at once and adds nothing to it; `import` goes through queues of promises for each.
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    codeSplitting: { groups },
  });
  await bundler.close();
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
}

function isOutside(name) {
  return /^[^./]/.test(name) && !bundledPackages.test(name);
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
