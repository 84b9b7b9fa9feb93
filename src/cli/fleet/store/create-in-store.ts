import { fleetWide } from '../../../fleet/problems/index.js';
import {
  createInStore,
  type StoreCreation,
  openRequestedStore,
  shardRows,
  storeFaults,
  type StoreInputs,
  isFleetId,
  openPackedInputs,
} from '../../../fleet/store/index.js';
import { emptyResult, type FleetResult, neededStdin } from '../../../fleet/build/index.js';
import { processSurroundings } from '../../surroundings.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { openFleetOf, withFetchedSecrets } from '../open-fleet.js';
import type { AioOptions, GlobalOptions } from '../../options.js';
import { fleetProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import type { CreateFleetOptions } from '../fleet-options.js';
import { printFleetResult } from '../print-fleet-result.js';
import { parseShard } from './shards-option.js';
import { noteOf } from './store-note.js';
import { problem } from '../../../core/problem.js';
import { buildId } from '../../../disk/program-files/package.js';

type Options = GlobalOptions & AioOptions & CreateFleetOptions & { readonly store: string };

/** Generates the sites of a fleet, or of one shard, into a store and prints the results. */
export async function createFleetInStore(options: Options, jobs: number): Promise<void> {
  const signals = onStopSignals();
  try {
    const open = options.packed === true ? openPackedShard : openStoreInputs;
    const given = await open(options, signals.stop);
    if (!given.ok) {
      await printFleetResult(options, emptyResult(given.problems));
      return;
    }
    const opened = await withFetchedSecrets(options, given.value.opened, {
      jobs,
      stop: signals.stop,
    });
    const made = await createShown(options, { ...given.value, opened }, { jobs, stop: signals.stop });
    given.value.store.close();
    const problems = [...given.warnings.map(fleetWide), ...made.problems];
    await printFleetResult(options, { ...made, problems }, signals);
  } finally {
    signals.release();
  }
}

async function openStoreInputs(options: Options, stop: AbortSignal): Promise<Result<StoreInputs>> {
  const stdin = standardInput();
  const keys = await stateAccess(options, stdin).keys();
  const shard = options.shard === undefined ? success(undefined) : parseShard(options.shard);
  const opened = openFleetOf(options, stdin);
  const store = openRequestedStore(options, processSurroundings(), stop, { onWait: noteOf(options) });
  const faults = opened.ok ? await storeFaults(opened.value) : [];
  const problems = [...[keys, shard, opened, store].flatMap(problemsOf), ...faults];
  if (!keys.ok || !shard.ok || !opened.ok || !store.ok || faults.length > 0) return failure(...problems);
  const rows = shard.value === undefined ? opened.value.rows : shardRows(opened.value, shard.value);
  const own = { ...opened.value, rows };
  const access = { keys: keys.value, ...neededStdin(own, stdin) };
  return success({ opened: own, access, store: store.value }, problems);
}

async function createShown(
  options: Options,
  inputs: StoreInputs,
  { jobs, stop }: Pick<StoreCreation, 'jobs' | 'stop'>,
): Promise<FleetResult> {
  const { dir, offlineFiles, shard, failFast } = options;
  const progress = fleetProgress(options, inputs.opened.rows.length);
  try {
    return await createInStore({
      ...{
        ...inputs,
        dir,
        surroundings: processSurroundings(),
        jobs,
        stop,
        onSite: progress.onSite,
        onStop: progress.onStop,
      },
      ...(offlineFiles !== undefined && { offlineFiles }),
      isShard: shard !== undefined,
      failFast: failFast === true,
    });
  } finally {
    progress.done();
  }
}

/** Opens the shard of a pod in its pack. Problems: pack/setting, store/shard, and those of `openPackedInputs` and `openRequestedStore`. */
async function openPackedShard(options: Options, stop: AbortSignal): Promise<Result<StoreInputs>> {
  const keys = await stateAccess(options, standardInput()).keys();
  const shard = parseShard(options.shard ?? '');
  const store = openRequestedStore(options, processSurroundings(), stop, { onWait: noteOf(options) });
  const fleetId = parseFleetId(options.fleetId ?? '');
  if (!keys.ok || !shard.ok || !store.ok || !fleetId.ok)
    return failure(...[keys, shard, store, fleetId].flatMap(problemsOf));
  const access = { shard: shard.value, keys: keys.value, fleetId: fleetId.value, program: buildId() ?? '' };
  return openPackedInputs(store.value, access, options);
}

/** Problems: pack/setting. */
function parseFleetId(text: string): Result<string> {
  if (isFleetId(text)) return success(text);
  const hint = 'use the fleet ID that `fleet pack` prints';
  return failure(problem('pack/setting', '--fleet-id is not a fleet ID', { hint }));
}
