// Coverage-guided fuzzing of the parsers: mutates inputs and keeps those that reach new branches.
// Usage: npm run fuzz -- [TARGET...] [--seconds N] [--inputs N] [--seed S] [--report FILE] [--keep FOLDER]
//        npm run fuzz -- TARGET --input FILE
// Writes findings to .cache/fuzz/findings and prints the command that reproduces each one. The exit code is 1 if there are any.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from 'rolldown';

import { branchCounter, markBranches } from './fuzz/branches.mjs';

/** An input that takes longer counts as a hang: CPU time, or wall-clock time without CPU use. Its thread is terminated. */
const [hangCpuMs, hangMs] = [20_000, 300_000];
const currentBytes = 1024 * 1024;
const cache = '.cache/fuzz';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    inputs: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
    keep: { type: 'string' },
    input: { type: 'string' },
  },
});
const bundle = join(cache, `bundle-${process.pid}`);
process.on('exit', () => rmSync(bundle, { recursive: true, force: true }));
await bundleWorker();
const names = await namesOfTargets();
const wanted = positionals.length === 0 ? names : positionals;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`unknown target ${unknown.join(', ')}; targets: ${names.join(', ')}`);
  process.exit(2);
}
if (values.input !== undefined) await tryOne(wanted[0], values.input);
else await fuzzAll();

async function fuzzAll() {
  const figures = [];
  const findings = [];
  for (const name of wanted) {
    const result = await fuzz(name);
    figures.push(...result.figures);
    findings.push(...result.findings);
  }
  const inputs = figures.reduce((sum, each) => sum + each.inputs, 0);
  console.log(`${inputs} inputs for ${wanted.length} targets, ${findings.length} findings`);
  if (values.report)
    writeFileSync(values.report, `${JSON.stringify({ inputs, figures, findings }, null, 2)}\n`);
  // A missing external validator is only reported, except in CI.
  process.exitCode = findings.length === 0 && figures.length > 0 ? 0 : 1;
}

/** Fuzzes a target for its time; continues with another seed after a hang. */
async function fuzz(name) {
  const until = performance.now() + Number(values.seconds) * 3000;
  const result = { figures: [], findings: [] };
  const known = new Set();
  for (let seed = Number(values.seed); ; seed += 1_000_003) {
    const seconds = (until - performance.now()) / 3000;
    const ended = await runWorker(name, { seconds, seed }, (message) => {
      if (message.kind === 'finding') keepFinding(message.finding, known, result.findings);
      if (message.kind === 'new' && values.keep) keepInput(name, message.input);
      if (message.kind === 'figures') result.figures.push(told(message));
    });
    if (ended === 'done') return result;
    keepFinding(ended, known, result.findings);
    if (performance.now() > until) return result;
  }
}

function told({ figures, judges }) {
  const { target, inputs, accepted, judged, branches, corpus, slowestMs, seconds } = figures;
  const rate = Math.round(inputs / seconds);
  console.log(
    `${target}: ${inputs} inputs in ${Math.round(seconds)} s of CPU (${rate}/s), ${accepted} accepted, ${judged} judged by real programs, ` +
      `${branches} branches, corpus ${corpus}, slowest ${Math.round(slowestMs)} ms`,
  );
  const missing = ['ignition-validate', 'systemd', 'go-yaml', 'kubernetes-yaml'].filter(
    (name) => !judges.includes(name),
  );
  if (missing.length > 0) console.log(`skipped, not installed: ${missing.join(', ')}`);
  if (missing.length > 0 && process.env.CI) throw new Error('CI requires all of these programs');
  return figures;
}

/** Keeps one finding per kind and source position. */
function keepFinding({ target, kind, what, input }, known, findings) {
  const place =
    kind === 'thrown'
      ? what
          .replaceAll(/bundle-\d+/g, '')
          .split('\n')
          .slice(0, 3)
          .join()
      : what.slice(0, 60);
  if (known.has(`${kind} ${place}`)) return;
  known.add(`${kind} ${place}`);
  const folder = join(cache, 'findings');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${target}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
  writeFileSync(file, input);
  findings.push({ target, kind, what: what.slice(0, 2000), file });
  console.error(
    `FINDING ${target}, ${kind}: ${what.slice(0, 1500)}\n  npm run fuzz -- ${target} --input ${file}`,
  );
}

function keepInput(name, input) {
  const folder = join(values.keep, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, createHash('sha256').update(input).digest('hex').slice(0, 12)), input);
}

async function tryOne(name, file) {
  const input = readFileSync(file);
  let isFound = false;
  const ended = await runWorker(name, { seconds: 0, seed: 1, input }, (message) => {
    if (message.kind === 'finding') {
      isFound = true;
      console.log(`FINDING ${name}, ${message.finding.kind}: ${message.finding.what}`);
    }
    if (message.kind === 'tried') {
      console.log(message.shown ?? '');
      console.log(
        `${basename(file)}: ${message.isAccepted ? 'accepted' : 'rejected'} in ${Math.round(message.cpuMs)} ms`,
      );
    }
  });
  if (ended !== 'done') console.log(`FINDING ${name}, ${ended.kind}: ${ended.what}`);
  process.exitCode = isFound || ended !== 'done' ? 1 : 0;
}

async function namesOfTargets() {
  let names = [];
  await runWorker('', {}, (message) => (names = message.names));
  return names;
}

/** Runs a worker thread to its end; returns `done`, or a finding if it hung or crashed. */
function runWorker(target, order, onMessage) {
  const current = new SharedArrayBuffer(8 + currentBytes);
  const counters = new Int32Array(current, 0, 2);
  const worker = new Worker(join(process.cwd(), bundle, 'worker.mjs'), {
    workerData: { maxInputs: Number(values.inputs), target, current, ...order },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  return new Promise((resolve) => {
    let [seen, since, isOver] = [-1, timesNow(), false];
    const end = (result) => {
      if (isOver) return;
      isOver = true;
      clearInterval(watch);
      void worker.terminate().then(() => resolve(result));
    };
    const finding = (kind, what) => {
      const input = Buffer.from(new Uint8Array(current, 8, counters[1]));
      return { target, kind, what, input };
    };
    const watch = setInterval(() => {
      const now = timesNow();
      const [cpuMs, ms] = [now.cpuMs - since.cpuMs, now.ms - since.ms];
      if (counters[0] !== seen) [seen, since] = [counters[0], now];
      else if (seen > 0 && (cpuMs > hangCpuMs || ms > hangMs))
        end(
          finding('hang', `not finished after ${Math.round(cpuMs)} ms of CPU time and ${Math.round(ms)} ms`),
        );
    }, 500);
    worker.on('message', onMessage);
    worker.on('error', (error) => end(finding('thrown', `the thread crashed: ${error?.stack ?? error}`)));
    // Exit code 13: the thread awaits a promise that never settles.
    worker.on('exit', (code) =>
      end(code === 0 ? 'done' : finding('hang', `the thread exited with code ${code}`)),
    );
  });
}

/** CPU time of the process with all threads, and wall-clock time. */
function timesNow() {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, ms: performance.now() };
}

async function bundleWorker() {
  await build({
    input: 'test/fuzz/driver/worker.ts',
    platform: 'node',
    external: [/^[^./]/],
    plugins: [markBranches()],
    output: {
      dir: bundle,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      banner: branchCounter,
    },
    logLevel: 'warn',
  });
}
