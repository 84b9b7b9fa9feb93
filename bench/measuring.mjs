import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

/** A folder that is removed at exit. */
export const scratch = mkdtempSync(join(tmpdir(), 'sno-install-bench-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** The command of the packed and installed npm package. Its compile cache (Node.js 22 and later) is in `scratch`. */
export const cli = installedCommand();

function installedCommand() {
  const npm = (...args) => {
    const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm ${args[0]}: ${stderr}`);
    return stdout;
  };
  const [{ filename }] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', scratch));
  npm('install', '--no-audit', '--no-fund', '--offline', '--prefix', scratch, join(scratch, filename));
  mkdirSync(join(scratch, 'cache'));
  return join(scratch, 'node_modules/sno-install/dist/cli.js');
}

/** One line that describes the machine. */
export function machine() {
  const [load] = loadavg();
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}, load ${load.toFixed(1)} at the start`;
}

/** Formats rows of `[what, milliseconds?, figure?, goal?]` as a table. */
export function tableOf(heading, figures) {
  const rows = figures.map(([what, ms, figure, goal]) => [
    what,
    ms === undefined ? '' : `${ms.toFixed(0)} ms`,
    figure ?? '',
    goal ?? '',
  ]);
  return [
    heading,
    '',
    '| measured | median | figure | goal |',
    '|---|---:|---:|---:|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

export function sample(times, measure) {
  return Array.from({ length: times }, measure);
}

export function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}

/** Runs Node without environment variables that affect outputs; returns the duration in milliseconds. */
export function node(args, wanted = 0, env = {}) {
  const start = performance.now();
  printedBy(args, { wanted, env });
  return performance.now() - start;
}

/** Standard output of such a run. Throws if the exit code is not `wanted`. */
export function printedBy(args, { wanted = 0, env = {} } = {}) {
  const options = { encoding: 'utf8', env: { ...cleanEnvironment(), ...env }, maxBuffer: 2 ** 26 };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== wanted) throw new Error(`node ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Wall-clock time, CPU time (ms) and peak memory (MB, 10^6 bytes) of such a run with all its threads. */
export function counted(args, env = {}) {
  const file = join(scratch, 'counted');
  // Threads load the hook too.
  const hook = `import{writeFileSync}from'node:fs';import{isMainThread}from'node:worker_threads';if(isMainThread)process.on('exit',()=>writeFileSync(${JSON.stringify(file)},JSON.stringify(process.resourceUsage())))`;
  const ms = node(['--import', `data:text/javascript,${encodeURIComponent(hook)}`, ...args], 0, env);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(file, 'utf8'));
  return { ms, cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMegabytes: maxRSS / 1000 };
}

function cleanEnvironment() {
  const inputs = [
    'SOURCE_DATE_EPOCH',
    'OPENSHIFT_INSTALL_INVOKER',
    'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE',
  ];
  const kept = Object.entries(process.env).filter(([name]) => !inputs.includes(name));
  return { ...Object.fromEntries(kept), XDG_CACHE_HOME: join(scratch, 'cache') };
}
