import { join } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import { standardInput, type Stdin } from '../../disk/outside/standard-input.js';
import { ensureRecordKey } from '../../disk/site-record/record-key.js';
import type { AgeKeys } from '../../formats/age.js';
import type { Renewal } from '../../run/effects/clock.js';
import { ofNoSite } from '../../fleet/grouped-problems.js';
import type { ReadFleet } from '../../fleet/check-fleet.js';
import { neededStdin, recipientFaults } from '../../fleet/build/fleet-options.js';
import { inOutputs } from '../../fleet/build/build-site.js';
import { emptyResult, type FleetResult } from '../../fleet/build/build-fleet.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { parseRenewal } from '../renewal.js';
import { stateAccess, commandLine } from '../request.js';
import { onStopSignals, type StopSignals } from '../stop-signals.js';
import { usageError } from '../usage-error.js';
import type { CreateFleetOptions } from './fleet-options.js';
import { openRequestedFleet, siteOptions } from './fleet-request.js';
import { parseJobs } from './jobs-option.js';
import { buildSites } from './build-sites.js';
import { printFleetResult } from './print-fleet-result.js';
import { summarySite, writeSummary } from './write-summary.js';

type Options = GlobalOptions & AioOptions & CreateFleetOptions;

/** Generates every site of a fleet into its own folder, in parallel, and prints the results. */
export async function createFleet(options: Options): Promise<void> {
  const jobs = parseJobs(options);
  if (jobs === undefined) return;
  if (options.state !== undefined || options.stateCommand !== undefined) {
    usageError(
      options,
      '--state and --state-command are not supported for fleets: each site has its own state',
      'remove --state and --state-command',
    );
    return;
  }
  const renewal = parseRenewal(options);
  if (!renewal.ok) {
    await printFleetResult(options, emptyResult(renewal.problems));
    return;
  }
  const { store, shard } = options;
  if (store !== undefined) {
    if (renewal.value.renewal !== undefined) {
      usageError(
        options,
        '--renew and --renew-before are not supported with --store',
        'remove --renew and --renew-before',
      );
      return;
    }
    const { createInStore } = await import('./store/create-in-store.js');
    await createInStore({ ...options, store }, jobs);
    return;
  }
  if (shard !== undefined) {
    usageError(options, '--shard requires --store', 'add --store s3://bucket/prefix');
    return;
  }
  const stdin = standardInput();
  const keys = await stateAccess(options, stdin).keys();
  const opened = openRequestedFleet(options, stdin);
  const faults = opened.ok ? await recipientFaults(opened.value.fleet) : [];
  const problems = [...problemsOf(keys), ...problemsOf(opened), ...faults];
  if (!keys.ok || !opened.ok || faults.length > 0) {
    await printFleetResult(options, emptyResult(problems));
    return;
  }
  const signals = onStopSignals();
  try {
    const given = {
      opened: opened.value,
      keys: keys.value,
      stdin,
      jobs,
      signals,
      ...renewal.value,
    };
    const made = await makeInOutputs(options, given);
    await printFleetResult(
      options,
      { ...made, problems: [...problems.map(ofNoSite), ...made.problems] },
      signals,
    );
  } finally {
    signals.release();
  }
}

interface CreateContext {
  readonly opened: ReadFleet;
  readonly keys: AgeKeys;
  readonly stdin: Stdin;
  readonly renewal?: Renewal;
  readonly jobs: number;
  readonly signals: StopSignals;
}

/** Holds the lock of the output folder. Each site has its own lock in addition. */
async function makeInOutputs(options: Options, given: CreateContext): Promise<FleetResult> {
  const { opened, keys, stdin, jobs, renewal } = given;
  const { outputs } = opened.fleet;
  const dir = join(options.dir, outputs);
  const told = (problems: readonly Problem[]): readonly Problem[] =>
    problems.map((each) => inOutputs(each, outputs));
  const lock = await openDirectory(dir, commandLine(), options.dir);
  if (!lock.ok) return emptyResult(told(lock.problems));
  try {
    const recordKey = ensureRecordKey(dir);
    if (!recordKey.ok) return emptyResult(told(recordKey.problems));
    const known = { keys, ...neededStdin(opened, stdin) };
    const order = {
      ...siteOptions(options, opened, known),
      ...(renewal && { renewal }),
      recordKey: recordKey.value,
    };
    const made = await buildSites(options, { opened, order, jobs, stop: given.signals.stop });
    const written = writeSummary(dir, { opened, order }, made.sites.flatMap(summarySite));
    return {
      ...made,
      problems: [...made.problems, ...told(problemsOf(written)).map(ofNoSite)],
    };
  } finally {
    lock.value.release();
  }
}
