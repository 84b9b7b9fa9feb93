import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import type { Problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { problemsOf, success, type Result } from '../core/result.js';
import { commit } from '../disk/commit.js';
import { openDirectory } from '../disk/directory.js';
import { areAsWritten } from '../disk/outputs.js';
import { standardInput, type Stdin } from '../disk/outside/standard-input.js';
import { ensuredRecordKey } from '../disk/site-record/record-key.js';
import type { AgeKeys } from '../formats/age.js';
import { sha256 } from '../formats/sha256.js';
import type { FleetProblem } from '../fleet/grouped-problems.js';
import type { ReadFleet } from '../fleet/judge-fleet.js';
import { erasedKeys } from '../fleet/keys/site-keys.js';
import { poolInUse, type PoolInUse } from '../fleet/keys/pool-of-fleet.js';
import { neededStdin, recipientFaults } from '../fleet/making/fleet-order.js';
import { fleetSummary, summaryFile, type SummarySite } from '../fleet/making/fleet-summary.js';
import { makeFleet, type EndedSite, type MadeFleet } from '../fleet/making/make-fleet.js';
import { readSummary } from '../fleet/making/read-summary.js';
import type { SiteOrder } from '../fleet/making/site-order.js';
import { sitePool } from '../fleet/making/site-pool.js';
import { openFleet } from '../fleet/read-fleet.js';
import type { AioOptions, GlobalOptions } from '../command-line/options.js';
import { fleetProgress } from '../command-line/progress.js';
import { accessOf, commandLine } from '../command-line/request.js';
import { onStopSignals, type StopSignals } from '../command-line/stop-signals.js';
import { usageError } from '../command-line/usage-error.js';
import type { CreateFleetOptions } from './fleet-options.js';
import { orderOf } from './fleet-request.js';
import { tellMadeFleet } from './tell-made-fleet.js';

type Options = GlobalOptions & AioOptions & CreateFleetOptions;

/** Makes every site of a fleet in a folder of its own, as many at a time as there are cores, and tells what became of them. */
export async function createFleet(options: Options): Promise<void> {
  const jobs = jobsIn(options);
  if (jobs === undefined) {
    const message = `--jobs is ${quoted(options.jobs ?? '')}, expected how many sites are made at a time`;
    usageError(options, message, 'try 4, or leave it out: one for each core');
    return;
  }
  if (options.state !== undefined || options.stateCommand !== undefined) {
    usageError(options, 'each site has a state of its own', 'leave out --state and --state-command');
    return;
  }
  const stdin = standardInput();
  const keys = await accessOf(options, stdin).keys();
  const opened = openFleet(options.dir, { only: options.only, outside: { variables: process.env, stdin } });
  const faults = opened.ok ? await recipientFaults(opened.value.fleet) : [];
  const keyPool =
    keys.ok && opened.ok ? await poolInUse(options.dir, opened.value.fleet, keys.value) : success(undefined);
  const problems = [...problemsOf(keys), ...problemsOf(opened), ...faults, ...problemsOf(keyPool)];
  if (!keys.ok || !opened.ok || !keyPool.ok || faults.length > 0) {
    await tellMadeFleet(options, { problems: problems.map(ofNoSite), sites: [], bugs: [] });
    return;
  }
  const signals = onStopSignals();
  try {
    const ahead = keyPool.value && { keyPool: keyPool.value };
    const given = { opened: opened.value, keys: keys.value, stdin, jobs, signals, ...ahead };
    const made = await makeInOutputs(options, given);
    await tellMadeFleet(
      options,
      { ...made, problems: [...problems.map(ofNoSite), ...made.problems] },
      signals,
    );
  } finally {
    signals.release();
  }
}

/** Undefined for what is no number of threads. */
function jobsIn({ jobs }: Options): number | undefined {
  if (jobs === undefined) return availableParallelism();
  return /^[1-9]\d{0,3}$/.test(jobs) ? Number(jobs) : undefined;
}

interface Given {
  readonly opened: ReadFleet;
  readonly keys: AgeKeys;
  readonly keyPool?: PoolInUse;
  readonly stdin: Stdin;
  readonly jobs: number;
  readonly signals: StopSignals;
}

/** One run at a time has the folder of the outputs; each site has a lock of its own beside. */
async function makeInOutputs(options: Options, given: Given): Promise<MadeFleet> {
  const { opened, keys, stdin, keyPool } = given;
  const dir = join(options.dir, opened.fleet.outputs);
  const lock = await openDirectory(dir, commandLine());
  if (!lock.ok) return nothingMade(lock.problems);
  try {
    const recordKey = ensuredRecordKey(dir);
    if (!recordKey.ok) return nothingMade(recordKey.problems);
    const ahead = keyPool && { keyPool: keyPool.folder.path };
    const told = { keys, ...ahead, ...neededStdin(opened, stdin) };
    const order = { ...orderOf(options, opened, told), recordKey: recordKey.value };
    const made = await makeSites(options, given, order);
    const written = writeSummary(dir, { opened, order }, made.sites);
    const left = keyPool ? erasedKeys(keyPool.folder, unchangedIn(made, keyPool.taking)) : [];
    return { ...made, problems: [...made.problems, ...[...problemsOf(written), ...left].map(ofNoSite)] };
  } finally {
    lock.value.release();
  }
}

/** Those of some sites that were made before: a run that was killed then may have left keys of them. */
function unchangedIn({ sites }: MadeFleet, names: readonly string[]): readonly string[] {
  const unchanged = new Set(sites.flatMap(({ name, outcome }) => (outcome === 'unchanged' ? [name] : [])));
  return names.filter((name) => unchanged.has(name));
}

async function makeSites(
  options: Options,
  { opened, jobs, signals }: Given,
  order: SiteOrder,
): Promise<MadeFleet> {
  const pool = sitePool(order, jobs);
  const progress = fleetProgress(options, opened.rows.length);
  const { stop } = signals;
  stop.addEventListener('abort', progress.onStop);
  const failFast = options.failFast === true;
  try {
    return await makeFleet({ opened, order, pool, jobs, failFast, stop, onSite: progress.onSite });
  } finally {
    progress.done();
    await pool.close();
  }
}

/** Writes fleet.json unless it says that already. Problems: those of `commit`. */
function writeSummary(
  dir: string,
  { opened, order }: { readonly opened: ReadFleet; readonly order: SiteOrder },
  ended: readonly EndedSite[],
): Result<void> {
  const names = opened.table.rows.map(({ name }) => name);
  const file = summaryFile(
    fleetSummary(order, names, { now: ended.flatMap(summarySite), before: readSummary(dir) }),
  );
  return areAsWritten(dir, [file], { [file.path]: sha256(file.contents) })
    ? success(undefined)
    : commit(dir, { writes: [file], removals: [] });
}

/** Nothing of a site that the run did not come to. */
function summarySite({ name, outcome, facts, codes }: EndedSite): readonly SummarySite[] {
  if (outcome === 'not-begun') return [];
  const isMade = outcome !== 'failed';
  return [{ name, result: isMade ? 'made' : 'failed', ...facts, ...(!isMade && { problems: codes }) }];
}

function nothingMade(problems: readonly Problem[]): MadeFleet {
  return { problems: problems.map(ofNoSite), sites: [], bugs: [] };
}

function ofNoSite(problem: Problem): FleetProblem {
  return { problem, sites: [] };
}
