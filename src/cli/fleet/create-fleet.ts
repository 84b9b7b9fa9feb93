import { join } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import { standardInput, type Stdin } from '../../disk/outside/standard-input.js';
import { ensuredRecordKey } from '../../disk/site-record/record-key.js';
import type { AgeKeys } from '../../formats/age.js';
import type { Renewal } from '../../run/effects/clock.js';
import { ofNoSite } from '../../fleet/grouped-problems.js';
import type { ReadFleet } from '../../fleet/judge-fleet.js';
import { neededStdin, recipientFaults } from '../../fleet/making/fleet-order.js';
import { inOutputs } from '../../fleet/making/make-site.js';
import { nothingMade, type MadeFleet } from '../../fleet/making/make-fleet.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { renewalIn } from '../renewal.js';
import { accessOf, commandLine } from '../request.js';
import { onStopSignals, type StopSignals } from '../stop-signals.js';
import { usageError } from '../usage-error.js';
import type { CreateFleetOptions } from './fleet-options.js';
import { openedFleet, orderOf } from './fleet-request.js';
import { jobsIn } from './jobs-option.js';
import { makeSites } from './make-sites.js';
import { tellMadeFleet } from './tell-made-fleet.js';
import { summarySite, writeSummary } from './write-summary.js';

type Options = GlobalOptions & AioOptions & CreateFleetOptions;

/** Generates every site of a fleet into its own folder, in parallel, and prints the results. */
export async function createFleet(options: Options): Promise<void> {
  const jobs = jobsIn(options);
  if (jobs === undefined) return;
  if (options.state !== undefined || options.stateCommand !== undefined) {
    usageError(options, 'each site has a state of its own', 'leave out --state and --state-command');
    return;
  }
  const renewal = renewalIn(options);
  if (!renewal.ok) {
    await tellMadeFleet(options, nothingMade(renewal.problems));
    return;
  }
  const { store, shard } = options;
  if (store !== undefined) {
    if (renewal.value.renewal !== undefined) {
      usageError(
        options,
        'certificates of sites in a store are not issued anew',
        'leave out --renew and --renew-before',
      );
      return;
    }
    const { createInStore } = await import('./store/create-in-store.js');
    await createInStore({ ...options, store }, jobs);
    return;
  }
  if (shard !== undefined) {
    usageError(
      options,
      '--shard stands without --store',
      'say where its sites are to lie: --store s3://bucket/prefix',
    );
    return;
  }
  const stdin = standardInput();
  const keys = await accessOf(options, stdin).keys();
  const opened = openedFleet(options, stdin);
  const faults = opened.ok ? await recipientFaults(opened.value.fleet) : [];
  const problems = [...problemsOf(keys), ...problemsOf(opened), ...faults];
  if (!keys.ok || !opened.ok || faults.length > 0) {
    await tellMadeFleet(options, nothingMade(problems));
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
    await tellMadeFleet(
      options,
      { ...made, problems: [...problems.map(ofNoSite), ...made.problems] },
      signals,
    );
  } finally {
    signals.release();
  }
}

interface Given {
  readonly opened: ReadFleet;
  readonly keys: AgeKeys;
  readonly stdin: Stdin;
  readonly renewal?: Renewal;
  readonly jobs: number;
  readonly signals: StopSignals;
}

/** Holds the lock of the output folder. Each site has its own lock in addition. */
async function makeInOutputs(options: Options, given: Given): Promise<MadeFleet> {
  const { opened, keys, stdin, jobs, renewal } = given;
  const { outputs } = opened.fleet;
  const dir = join(options.dir, outputs);
  const told = (problems: readonly Problem[]): readonly Problem[] =>
    problems.map((each) => inOutputs(each, outputs));
  const lock = await openDirectory(dir, commandLine(), options.dir);
  if (!lock.ok) return nothingMade(told(lock.problems));
  try {
    const recordKey = ensuredRecordKey(dir);
    if (!recordKey.ok) return nothingMade(told(recordKey.problems));
    const known = { keys, ...neededStdin(opened, stdin) };
    const order = {
      ...orderOf(options, opened, known),
      ...(renewal && { renewal }),
      recordKey: recordKey.value,
    };
    const made = await makeSites(options, { opened, order, jobs, stop: given.signals.stop });
    const written = writeSummary(dir, { opened, order }, made.sites.flatMap(summarySite));
    return {
      ...made,
      problems: [...made.problems, ...told(problemsOf(written)).map(ofNoSite)],
    };
  } finally {
    lock.value.release();
  }
}
