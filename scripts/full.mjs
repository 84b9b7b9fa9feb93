// Runs the test parts that are not in .ci/run and records each result in docs/testing.md.
//
//   npm run test:full -- --list         the parts, and which of them passed at this commit
//   npm run test:full                   every part that has not passed at this commit
//   npm run test:full -- s3 windows     these parts
//   npm run test:full -- --again s3     also if it passed at this commit
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { missingLine } from './system-programs.mjs';

const vitest = ['node_modules/.bin/vitest', 'run', '--project'];
const machines = [...vitest, 'machines'];
const long = [...vitest, 'long'];
const lab = ['npm', 'run', '--silent', 'lab', '--'];

/** Folders and files with their own part. */
const ownParts = [
  'test/config/network/',
  'test/real/libvirt/',
  'test/real/media/live-boot',
  'test/real/media/tutorial',
  'test/real/redfish/',
  'test/real/store/',
  'test/real/windows/',
  'test/serve/page/',
  'test/site/',
];
const withoutOwnParts = ownParts.flatMap((path) => ['--exclude', `${path}**`]);

const parts = {
  machines: {
    runs: 'all other tests of the project machines',
    commands: [[...machines, ...withoutOwnParts]],
  },
  'lab-faults': { runs: 'lab: faults', commands: [[...lab, '--only', 'faults']] },
  'lab-kills': { runs: 'lab: kills', commands: [[...lab, '--only', 'kills']] },
  'lab-names': {
    runs: 'lab: main path with a host name of 63 characters and API names above 64',
    commands: [[...lab, '--long-names', '--output', '.cache/lab-names']],
  },
  'lab-installer': {
    runs: 'lab: main path with `render: Installer`',
    commands: [[...lab, '--render', 'Installer', '--output', '.cache/lab-installer']],
  },
  'lab-payload': {
    runs: 'lab: a payload and no registry, with kills and a medium that is removed',
    commands: [[...lab, '--only', 'payload']],
  },
  nmstate: {
    runs: 'nmstatectl, NetworkManager',
    commands: [[...machines, 'test/config/network/']],
  },
  s3: {
    runs: 'versitygw, the Job on a kubelet',
    commands: [
      [...machines, 'test/real/store/'],
      [...long, 'test/real/store/'],
    ],
  },
  bmc: {
    runs: 'sushy-emulator',
    commands: [
      [...machines, 'test/real/redfish/'],
      [...long, 'test/real/redfish/'],
    ],
  },
  qemu: {
    runs: 'live images, the tutorial, bonds and VLANs in QEMU, a machine of `render libvirt` in libvirt',
    commands: [
      [...machines, 'test/real/media/tutorial'],
      [...long, 'test/real/media/live-boot', 'test/real/libvirt/', 'test/config/network/'],
    ],
  },
  chromium: {
    runs: 'the site and the page of `serve` in Chromium',
    commands: [[...machines, 'test/serve/page/', 'test/site/']],
  },
  windows: { runs: 'the Windows executable in Wine', commands: [[...machines, 'test/real/windows/']] },
  'node-versions': {
    runs: 'unit tests and goldens on Node 20.19, 22, 24 and 26',
    commands: [['npm', 'run', '--silent', 'test:node-versions']],
  },
  fuzz: {
    runs: 'ten seconds of random inputs for each reader',
    commands: [['npm', 'run', '--silent', 'fuzz', '--', '--seconds', '10']],
  },
  'serve-load': {
    runs: '`serve` under 2,000 bad clients for ten minutes',
    commands: [['node', 'bench/run.mjs', 'serve-load']],
  },
  kills: {
    runs: 'SIGKILL at random calls, 100 for each command',
    commands: [['npm', 'run', '--silent', 'test:kills']],
  },
  long: { runs: 'long tests', commands: [[...long, ...withoutOwnParts]] },
};

const resultsFile = '.cache/full.json';
const tableFile = 'docs/testing.md';
const header = '| part | runs | result | took | date | commit |';

const { values, positionals } = readArguments();
const results = readResults();
const commit = currentCommit();

if (values.list) {
  for (const [name, { runs }] of Object.entries(parts))
    console.log(`${name.padEnd(14)} ${(hasPassed(name) ? 'passed' : '').padEnd(7)} ${runs}`);
} else {
  prepare();
  const wanted = positionals.length === 0 ? Object.keys(parts) : positionals;
  for (const name of wanted) {
    if (hasPassed(name) && !values.again)
      console.log(`${name}: already passed at ${commit} (--again repeats it)`);
    else runPart(name);
  }
  const failed = wanted.filter((name) => results[name].result !== 'passed');
  console.log(failed.length === 0 ? 'all parts passed' : `failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function prepare() {
  const line = missingLine('full');
  if (line !== undefined) {
    console.error(line);
    process.exit(1);
  }
  // Tests build the other tools themselves.
  for (const command of ['npm run --silent build', 'test/lab/build-coreos-installer']) {
    const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
    if (status !== 0) process.exit(1);
  }
}

function runPart(name) {
  console.log(`=== ${name}`);
  const start = performance.now();
  // With CI set, a test fails if its program is missing, instead of being skipped.
  const options = { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, CI: 'true' } };
  const passed = parts[name].commands.every(
    ([program, ...args]) => spawnSync(program, args, options).status === 0,
  );
  results[name] = {
    result: passed ? 'passed' : 'failed',
    seconds: Math.round((performance.now() - start) / 1000),
    date: new Date(performance.timeOrigin).toISOString().slice(0, 10),
    commit,
  };
  mkdirSync('.cache', { recursive: true });
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  updateTable(name);
}

/** Replaces the row of a part in docs/testing.md; rows of other parts stay. */
function updateTable(name) {
  const lines = readFileSync(tableFile, 'utf8').split('\n');
  const first = lines.findIndex((line) => cellsOf(line).join() === cellsOf(header).join()) + 2;
  if (first < 2) throw new Error(`${tableFile} does not contain the table ${header}`);
  const end = lines.indexOf('', first);
  const old = new Map(lines.slice(first, end).map((line) => [cellsOf(line)[0], line]));
  const { result, seconds, date, commit: at } = results[name];
  const rows = Object.entries(parts).map(([part, { runs }]) => {
    const cell = `\`${part}\``;
    if (part === name) return `| ${cell} | ${runs} | ${result} | ${seconds} s | ${date} | ${at} |`;
    return old.get(cell) ?? `| ${cell} | ${runs} | not run | | | |`;
  });
  writeFileSync(tableFile, [...lines.slice(0, first), ...rows, ...lines.slice(end)].join('\n'));
  spawnSync('node_modules/.bin/prettier', ['--write', '--log-level', 'warn', tableFile], {
    stdio: 'inherit',
  });
}

function cellsOf(line) {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function hasPassed(name) {
  return results[name]?.result === 'passed' && results[name].commit === commit && !commit.endsWith('+');
}

function readResults() {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8'));
  } catch {
    return {};
  }
}

/** The commit, with a trailing `+` if any file other than the table differs from it. */
function currentCommit() {
  const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim();
  const changes = git('status', '--porcelain', '--', '.', `:!${tableFile}`);
  return `${git('rev-parse', '--short=8', 'HEAD')}${changes === '' ? '' : '+'}`;
}

function readArguments() {
  try {
    const options = { again: { type: 'boolean' }, list: { type: 'boolean' } };
    const given = parseArgs({ allowPositionals: true, options });
    const unknown = given.positionals.filter((name) => !Object.hasOwn(parts, name));
    if (unknown.length === 0) return given;
    throw new Error(`unknown part ${unknown.join(', ')}; parts: ${Object.keys(parts).join(', ')}`);
  } catch (error) {
    console.error(error.message);
    return process.exit(2);
  }
}
