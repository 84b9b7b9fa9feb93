// Builds the program as a single executable file that contains Node.js and all files of the program.
//
//   npm run single-file                              for Linux on x64
//   npm run single-file -- linux-arm64 windows-x64   for these
//   npm run single-file -- all                       for every platform
//   npm run single-file -- --out DIR                 into another folder than out/single-file
//
// Writes sno-install-PLATFORM, SHA256SUMS and the licences. The files are reproducible: Node.js embeds the assets into a copy of its
// own binary (`node --build-sea`), without timestamps or paths.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { nodeBinary, nodeLicence, ownPlatform, platforms } from './single-file/node-binaries.mjs';
import { withoutDebugInfo } from './single-file/without-debug-info.mjs';

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'out/single-file' } },
});
const { out } = values;
const chosen = asked.includes('all') ? Object.keys(platforms) : asked.length === 0 ? ['linux-x64'] : asked;
const unknown = chosen.find((name) => !Object.hasOwn(platforms, name));
if (unknown !== undefined) {
  console.error(`unknown platform ${unknown}; platforms: all, ${Object.keys(platforms).join(', ')}`);
  process.exit(2);
}
const builder = ownPlatform();
if (builder === undefined) {
  console.error(`no Node.js binary for ${process.platform} on ${process.arch}, which the build needs`);
  process.exit(2);
}
const parts = mkdtempSync(join(tmpdir(), 'sno-install-single-file-'));
try {
  const assets = await laidParts();
  mkdirSync(out, { recursive: true });
  // Removes files that were built from other sources.
  for (const name of madeFiles()) rmSync(join(out, name));
  for (const platform of chosen) make(platform, assets);
  const made = madeFiles();
  const sums = made.sort().map((name) => `${sha256(join(out, name))}  ${name}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  const licences = ['dist/THIRD-PARTY.txt', nodeLicence()].map((path) => readFileSync(path, 'utf8'));
  writeFileSync(join(out, 'LICENSES.txt'), licences.join('\n---\n\n'));
} finally {
  rmSync(parts, { recursive: true, force: true });
}

/** Output files in the folder; other files in it are left alone. */
function madeFiles() {
  const names = new Set(Object.keys(platforms).map(fileName));
  return readdirSync(out).filter((name) => names.has(name));
}

function fileName(platform) {
  return `sno-install-${platform}${platform.startsWith('windows') ? '.exe' : ''}`;
}

/** Assets of every executable file: paths by name, sorted by name. */
async function laidParts() {
  const ofBundle = readdirSync('dist').filter((name) => isFile(join('dist', name)));
  const templates = readdirSync('templates', { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => isFile(join('templates', path)))
    .sort();
  const main = await bundledMain();
  const written = { 'main.cjs': main, 'dist/thread.js': threadText(), templates: templates.join('\n') };
  const texts = Object.entries(written).map(([name, text]) => [name, laid(name, text)]);
  const files = [
    ...ofBundle.map((name) => [`dist/${name}`, resolve('dist', name)]),
    ...templates.map((path) => [`templates/${path}`, resolve('templates', path)]),
  ];
  return Object.fromEntries([...texts, ...files].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isFile(path) {
  return statSync(path).isFile();
}

function laid(name, text) {
  const path = join(parts, name.replaceAll('/', '-'));
  writeFileSync(path, text);
  return path;
}

/** The main script as one file, because it cannot require others. */
async function bundledMain() {
  const { rolldown } = await import('rolldown');
  const bundler = await rolldown({ input: 'scripts/single-file/main.cjs', platform: 'node' });
  const { output } = await bundler.generate({ format: 'cjs', comments: false });
  await bundler.close();
  const [{ code }] = output;
  return code;
}

/** The script of the pool's threads. The original imports the program by path, which a single file does not support. */
function threadText() {
  const text = readFileSync('dist/entry/worker.js', 'utf8');
  const asked = text.replace('await import(filename)', 'await programOfThread(filename)');
  if (asked === text) throw new Error('the worker of tinypool loads the program differently than expected');
  return asked;
}

function make(platform, assets) {
  const output = resolve(out, fileName(platform));
  const config = join(parts, 'single-file.json');
  const settings = {
    // A bare name, since it is stored in the executable file.
    main: basename(assets['main.cjs']),
    executable: executableOf(platform),
    output,
    disableExperimentalSEAWarning: true,
    // Ignores NODE_OPTIONS, which is intended for other programs.
    execArgvExtension: 'none',
    assets,
  };
  writeFileSync(config, JSON.stringify(settings));
  const { status, error } = spawnSync(nodeBinary(builder), ['--build-sea', config], {
    cwd: parts,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`the build of the executable for ${platform} failed`, { cause: error });
  console.log(`${out}/${fileName(platform)}: ${Math.round(statSync(output).size / 1e6)} MB`);
}

/** Path of the Node.js binary to embed; stripped on Linux. */
function executableOf(platform) {
  if (!platform.startsWith('linux')) return nodeBinary(platform);
  const path = join(parts, `node-${platform}`);
  writeFileSync(path, withoutDebugInfo(readFileSync(nodeBinary(platform))), { mode: 0o755 });
  return path;
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
