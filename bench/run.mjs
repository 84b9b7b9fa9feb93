// Measures the built command and, in the same run, the limit each figure is held against. Prints a table; with --write
// it also rewrites the figures of bench/README.md. Run on a quiet machine: npm run bench.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

const cli = resolve('dist/cli.js');
const config = resolve('fixtures/configs/minimal/install-config.yaml');
const ecdsa =
  'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\ncertificates:\n  keyAlgorithm: ECDSA-P256\n';
const create = ['create', 'single-node-ignition-config'];
const keysOfOneRun = 26;

const scratch = mkdtempSync(join(tmpdir(), 'sno-install-bench-'));
try {
  const figures = measureAll();
  const table = tableOf(figures);
  console.log(table);
  if (process.argv.includes('--write')) writeFigures(table);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function measureAll() {
  const bare = median(21, () => node(['-e', '0']));
  const serialKeys = median(3, () => node(['--input-type=module', '-e', generateSerially()]));
  const parallelKeys = median(5, () => node(['--input-type=module', '-e', generateInParallel()]));
  const cold = median(9, () => inFreshDirectory({}, run));
  const coldEcdsa = median(9, () => inFreshDirectory({ 'sno-config.yaml': ecdsa }, run));
  const warmDir = directory({});
  run(warmDir);
  const warm = median(21, () => run(warmDir));
  const help = median(21, () => node([cli, '--help']));
  const validate = median(5, () => inFreshDirectory({}, (dir) => node([cli, 'validate', '--dir', dir])));
  return [
    ['bare `node -e 0`', bare, undefined, undefined],
    [
      `${keysOfOneRun} RSA-2048 keys, generateKeyPairSync one after another`,
      serialKeys,
      undefined,
      undefined,
    ],
    [`${keysOfOneRun} RSA-2048 keys, native and parallel, nothing else`, parallelKeys, undefined, undefined],
    [
      'create, cold, RSA-2048',
      cold,
      `${(cold / serialKeys).toFixed(2)} × serial keys`,
      '≤ 0.45 × serial keys',
    ],
    ['create, cold, ECDSA-P256', coldEcdsa, `${(coldEcdsa / 1000).toFixed(2)} s`, '≤ 0.4 s'],
    ['create, warm', warm, `${(warm / bare).toFixed(1)} × bare node`, '≤ 4 × bare node'],
    ['`--help`', help, `${(help / bare).toFixed(1)} × bare node`, '≤ 2 × bare node'],
    ['validate, no state', validate, undefined, undefined],
    ['create, cold: peak memory', undefined, `${peakMegabytes(directory({})).toFixed(0)} MB`, '≤ 100 MB'],
    ['create, warm: peak memory', undefined, `${peakMegabytes(warmDir).toFixed(0)} MB`, '≤ 100 MB'],
  ];
}

function tableOf(figures) {
  const rows = figures.map(([what, ms, ratio, goal]) => [
    what,
    ms === undefined ? '' : `${ms.toFixed(0)} ms`,
    ratio ?? '',
    goal ?? '',
  ]);
  const head = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;
  return [
    head,
    '',
    '| measured | median | figure | goal |',
    '|---|---:|---:|---:|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

function writeFigures(table) {
  const path = 'bench/README.md';
  const [before, , after] = readFileSync(path, 'utf8').split(/<!-- figures -->/);
  writeFileSync(path, `${before}<!-- figures -->\n\n${table}\n\n<!-- figures -->${after}`);
}

function median(times, measure) {
  const sorted = Array.from({ length: times }, measure).sort((a, b) => a - b);
  return sorted[Math.floor(times / 2)];
}

function node(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: cleanEnvironment() });
  if (status !== 0) throw new Error(`node ${args.join(' ')}: ${stderr}`);
  return performance.now() - start;
}

function run(dir) {
  return node([cli, ...create, '--dir', dir]);
}

function directory(files) {
  const dir = mkdtempSync(join(scratch, 'site-'));
  copyFileSync(config, join(dir, 'install-config.yaml'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

function inFreshDirectory(files, measure) {
  return measure(directory(files));
}

/** The peak resident memory of one run, in MB, as the kernel counted it for the process. */
function peakMegabytes(dir) {
  const file = join(scratch, 'peak');
  const hook = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(file)},String(process.resourceUsage().maxRSS)))`;
  node(['--import', hook, cli, ...create, '--dir', dir]);
  return Number(readFileSync(file, 'utf8')) / 1000;
}

function generateSerially() {
  const generate = generateKeyPairSync.name;
  return `import { ${generate} } from 'node:crypto'; for (let i = 0; i < ${keysOfOneRun}; i += 1) ${generate}('rsa', { modulusLength: 2048 });`;
}

function generateInParallel() {
  return `import { generateKeyPair } from 'node:crypto'; for (let i = 0; i < ${keysOfOneRun}; i += 1) generateKeyPair('rsa', { modulusLength: 2048 }, () => {});`;
}

function cleanEnvironment() {
  const inputs = [
    'SOURCE_DATE_EPOCH',
    'OPENSHIFT_INSTALL_INVOKER',
    'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE',
  ];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inputs.includes(name)));
}
