// Kills the built command at file-system calls, then checks the remaining files and the result of the next run.
// The run after a kill may be killed too: up to four in a row, then one runs to its end. All random choices depend on the seed.
// Usage: npm run test:kills -- [SCENARIO...] [--kills N] [--minutes M] [--seed S] [--report FILE]
// --kills applies to each scenario; --minutes ends the campaign earlier. Prints faults; the exit code is 1 if there are any. Runs a
// copy of the built program that is made at the start. Writes the report after each scenario.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { faultsAfterKill, faultsAfterRun, filesBelow } from './kills/judge.mjs';
import { identityFile, put, scenarios } from './kills/scenarios.mjs';

const killer = ['--import', resolve('test/support/kill-at.mjs')];
const [atATime, mostInARow] = [2, 4];
const began = Math.floor(performance.timeOrigin / 1000);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '100' },
    minutes: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
  },
});
const wanted = positionals.length === 0 ? Object.keys(scenarios) : positionals;
const unknown = wanted.filter((name) => !Object.hasOwn(scenarios, name));
if (unknown.length > 0) {
  console.error(`unknown scenario ${unknown.join(', ')}; scenarios: ${Object.keys(scenarios).join(', ')}`);
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'sno-install-kills-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const cli = copiedProgram();
const until = performance.now() + Number(values.minutes) * 60_000;
put(scratch, 'identity', identityFile);
if (wanted.includes('iso')) await makeLiveIso();
await campaign();

async function campaign() {
  const [figures, left] = [{}, [...wanted]];
  const worker = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      // The remaining time is shared by this and the waiting scenarios.
      const share = ((until - performance.now()) * atATime) / (left.length + atATime);
      figures[name] = await killAll(name, performance.now() + share);
      console.error(`${name}: ${figures[name].kills} kills, ${figures[name].faults.length} faults`);
      if (values.report) writeFileSync(values.report, textOf(reportOf(figures)));
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  const report = reportOf(figures);
  console.log(textOf(report).trimEnd());
  process.exitCode = report.ok ? 0 : 1;
}

/** Report of the finished scenarios; `ok` requires all requested scenarios. */
function reportOf(figures) {
  const over = Object.values(figures);
  const kills = over.reduce((sum, each) => sum + each.kills, 0);
  const lost = over.reduce((sum, each) => sum + each.faults.length, 0);
  const ok = lost === 0 && over.length === new Set(wanted).size && over.every((each) => each.kills > 0);
  return { ok, seed: values.seed, kills, lost, figures };
}

function textOf(report) {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** A copy, so that a build in the meantime does not change the program under test. */
function copiedProgram() {
  const program = join(scratch, 'program');
  for (const part of ['dist', 'templates', 'package.json'])
    cpSync(part, join(program, part), { recursive: true });
  return join(program, 'dist/cli.js');
}

async function killAll(name, end) {
  const given = scenarios[name];
  const { base, expected, counted } = await prepared(name, given);
  const calls = given.calls ?? counted;
  const figures = { kills: 0, calls, runs: 0, faults: [] };
  for (let round = 0; figures.kills < Number(values.kills) && performance.now() < end; round += 1) {
    const dir = join(scratch, name, 'killed');
    rmSync(dir, { recursive: true, force: true });
    cpSync(base, dir, { recursive: true });
    const told = (what) => figures.faults.push(`round ${round}: ${what}`);
    const inARow = 1 + drawn(mostInARow, name, 'row', round);
    for (let index = 0; index < inARow; index += 1) {
      const killAt = 1 + drawn(calls, name, 'kill', round, index);
      const { signal } = await run(given.args, dir, { KILL_AT: String(killAt) });
      if (signal !== 'SIGKILL') break;
      figures.kills += 1;
      for (const fault of faultsAfterKill(filesBelow(dir), expected)) told(`${fault} (kill at ${killAt})`);
    }
    const { code, stderr } = await run(given.args, dir);
    figures.runs += 1;
    if (code !== 0 && !(given.finished && stderr.includes(given.finished)))
      told(`exited with ${code}: ${stderr}`);
    for (const fault of faultsAfterRun(filesBelow(dir), expected)) told(fault);
  }
  return figures;
}

/** The initial folder, the result of a run that was not killed, and its number of file-system calls. */
async function prepared(name, { files, prepare, lay, args, isSecret, isOdd }) {
  const base = join(scratch, name, 'base');
  for (const [path, contents] of Object.entries(files)) put(base, path, contents);
  for (const before of prepare) await sound(before, base, { SOURCE_DATE_EPOCH: String(began - 3600) });
  lay?.(base, { remove: (path) => rmSync(path, { recursive: true, force: true }) });
  const whole = join(scratch, name, 'whole');
  cpSync(base, whole, { recursive: true });
  put(scratch, `${name}/identity`, identityFile);
  const counter = join(scratch, name, 'count');
  await sound(args, whole, { KILL_COUNT_FILE: counter });
  const [before, after] = [filesBelow(base), filesBelow(whole)];
  const odd = isOdd && ((path, bytes) => isOdd(path, bytes, before[path]));
  const counted = Number(readFileSync(counter, 'utf8'));
  // A scenario without writes would test nothing.
  if (!(counted > 3)) throw new Error(`${name} changes the file system only ${counted} times`);
  return { base, expected: { before, after, isSecret, isOdd: odd }, counted };
}

async function sound(args, cwd, variables) {
  const { code, stderr } = await run(args, cwd, variables);
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`);
}

async function run(args, cwd, variables = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    SOURCE_DATE_EPOCH: String(began),
    ...variables,
  };
  const preload = 'KILL_AT' in variables || 'KILL_COUNT_FILE' in variables ? killer : [];
  const child = spawn(process.execPath, [...preload, cli, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((done, refuse) => {
    child.once('error', refuse);
    child.once('exit', (code, signal) => done({ code, signal }));
  });
  const [stderr, end] = await Promise.all([text(child.stderr), ended]);
  return { ...end, stderr };
}

/** Writes the tests' live image next to the scenario's folder. Its module is TypeScript and is bundled first. */
async function makeLiveIso() {
  const { build } = await import('rolldown');
  const file = join(scratch, 'live-iso.mjs');
  const output = { file, format: 'esm' };
  await build({ input: 'test/media/support/live-iso.ts', platform: 'node', output, logLevel: 'silent' });
  const { liveIso } = await import(pathToFileURL(file).href);
  put(scratch, 'iso/live.iso', liveIso());
}

/** A number below `limit`, derived from the seed and the purpose. */
function drawn(limit, ...purpose) {
  const hash = createHash('sha256')
    .update([values.seed, ...purpose].join(' '))
    .digest();
  return hash.readUInt32BE() % limit;
}
