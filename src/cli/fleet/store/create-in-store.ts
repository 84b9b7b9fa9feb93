import { join, relative } from 'node:path';

import type { AioOptions, GlobalOptions } from '../../options.js';
import { commandLine, stateAccess } from '../../request.js';
import { type StopSignals, onStopSignals } from '../../stop-signals.js';
import { type Problem, problem } from '../../../core/problem.js';
import { type Result, failure, problemsOf, success } from '../../../core/result.js';
import { openDirectory } from '../../../disk/directory.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { readRecordKey } from '../../../disk/site-record/record-key.js';
import { temporarySiteFolder } from '../../../disk/site-record/site-contents.js';
import type { CreateFleetOptions } from '../fleet-options.js';
import { openRequestedFleet, siteOptions } from '../fleet-request.js';
import { buildInStore } from '../../../fleet/store/build-in-store.js';
import { ensureFleetKey } from '../../../fleet/store/fleet-key.js';
import { siteStore } from '../../../fleet/store/site-store.js';
import { storeProblem } from '../../../fleet/store/store-problem.js';
import { fleetWide } from '../../../fleet/grouped-problems.js';
import { withSecrets } from '../../../fleet/site-secrets.js';
import type { LoadedFleet } from '../../../fleet/check-fleet.js';
import { neededStdin, recipientFaults } from '../../../fleet/build/fleet-options.js';
import { type FleetResult, emptyResult } from '../../../fleet/build/build-fleet.js';
import type { SiteOptions } from '../../../fleet/build/site-options.js';
import { buildSites } from '../build-sites.js';
import { printFleetResult } from '../print-fleet-result.js';
import type { ObjectStore } from '../../../remote/object-store/object-store.js';
import { openRequestedStore, sitesAtOnce } from './open-store.js';

type Options = GlobalOptions & AioOptions & CreateFleetOptions & { readonly store: string };

/** Generates the sites of a fleet, or of one shard, into a store and prints the results. */
export async function createInStore(options: Options, jobs: number): Promise<void> {
  const signals = onStopSignals();
  try {
    const given = await openStoreInputs(options, signals.stop);
    if (!given.ok) {
      await printFleetResult(options, emptyResult(given.problems));
      return;
    }
    const opened = await withSecrets(given.value.opened, { jobs, stop: signals.stop });
    const made = await makeInTemporaryFolder(options, { ...given.value, opened, jobs, signals });
    given.value.store.close();
    const problems = [...given.warnings.map(fleetWide), ...made.problems];
    await printFleetResult(options, { ...made, problems }, signals);
  } finally {
    signals.release();
  }
}

interface StoreInputs {
  readonly opened: LoadedFleet;
  readonly told: Pick<SiteOptions, 'keys' | 'stdin'>;
  readonly store: ObjectStore;
}

async function openStoreInputs(options: Options, stop: AbortSignal): Promise<Result<StoreInputs>> {
  const stdin = standardInput();
  const keys = await stateAccess(options, stdin).keys();
  const shard = options.shard === undefined ? success(undefined) : parseShard(options.shard);
  const opened = openRequestedFleet(options, stdin);
  const store = openRequestedStore(options, stop);
  const faults = opened.ok
    ? [...(await recipientFaults(opened.value.fleet)), ...unencryptedFaults(opened.value)]
    : [];
  const problems = [...[keys, shard, opened, store].flatMap(problemsOf), ...faults];
  if (!keys.ok || !shard.ok || !opened.ok || !store.ok || faults.length > 0) return failure(...problems);
  const own = shard.value === undefined ? opened.value : shardOf(opened.value, shard.value);
  const told = { keys: keys.value, ...neededStdin(own, stdin) };
  return success({ opened: own, told, store: store.value }, problems);
}

/** Problems: store/plain. */
export function unencryptedFaults({ fleet }: LoadedFleet): readonly Problem[] {
  if (fleet.recipients.length > 0 && fleet.encryptOutputs === true) return [];
  const message =
    '--store requires encrypted outputs, but fleet.yaml does not set recipients and encryptOutputs';
  const hint = 'add "recipients: [age1…]" and "encryptOutputs: true" to fleet.yaml';
  return [problem('store/plain', message, { at: { file: 'fleet.yaml' }, hint })];
}

interface StoreCreateContext extends StoreInputs {
  readonly jobs: number;
  readonly signals: StopSignals;
}

/** Sites in progress beyond the number of threads, so that threads stay busy during uploads. */
const ahead = 2;

/** Generates sites in a temporary folder, which is removed at the end. A site that is not in the store is generated again. */
async function makeInTemporaryFolder(options: Options, making: StoreCreateContext): Promise<FleetResult> {
  const { opened, told, store, jobs, signals } = making;
  const folder = temporarySiteFolder();
  if (!folder.ok) return emptyResult(folder.problems);
  const end = new AbortController();
  const stop = (): void => {
    end.abort();
  };
  signals.stop.addEventListener('abort', stop);
  try {
    const key = await fleetKey(options, making);
    if (!key.ok) return emptyResult(key.problems);
    const recordKey = key.value;
    const outputs = relative(options.dir, folder.value.path);
    const order = { ...siteOptions(options, opened, told), recordKey, outputs, within: folder.value.path };
    return await buildSites(options, {
      opened,
      order,
      jobs,
      stop: end.signal,
      elsewhere: (pool) => ({
        jobs: jobs + ahead,
        // A request may take as long as the generation of a site.
        looksAtOnce: sitesAtOnce,
        ...buildInStore({ order, pool, store: siteStore(store, recordKey), onFault: stop }),
      }),
    });
  } catch (error) {
    return emptyResult([storeProblem(error)]);
  } finally {
    folder.value.remove();
  }
}

/** Reads or creates the fleet key. It is kept in the output folder if that is writable, and in the store. */
async function fleetKey(options: Options, { opened, told, store }: StoreInputs): Promise<Result<string>> {
  const outputs = join(options.dir, opened.fleet.outputs);
  const recipients = opened.fleet.recipients.map(({ text }) => text);
  const runs = options.shard === undefined ? 'alone' : 'beside';
  const creation = { keys: told.keys, recipients, runs } as const;
  if (readRecordKey(outputs) !== undefined) return ensureFleetKey(store, { ...creation, outputs });
  const lock = await openDirectory(outputs, commandLine(), options.dir);
  if (!lock.ok) {
    const isReadOnly = lock.problems.every(({ code }) => code === 'dir/not-writable');
    return isReadOnly ? ensureFleetKey(store, creation) : lock;
  }
  try {
    return await ensureFleetKey(store, { ...creation, outputs });
  } finally {
    lock.value.release();
  }
}

interface Shard {
  /** Counted from 0. */
  readonly index: number;
  readonly shards: number;
}

/** Parses `INDEX/NUMBER`. Problems: store/shard. */
export function parseShard(text: string): Result<Shard> {
  const [, index, shards] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), shards: Number(shards) };
  if (index !== undefined && shard.index < shard.shards) return success(shard);
  const message = '--shard is not INDEX/NUMBER with an index from 0 to NUMBER - 1';
  return failure(problem('store/shard', message, { hint: 'use "--shard 0/8" for the first of eight' }));
}

/** Returns the fleet with the sites of one shard: every `shards`-th row of the table, starting at `index`. May be empty. */
export function shardOf(opened: LoadedFleet, { index, shards }: Shard): LoadedFleet {
  const own = new Set(opened.table.rows.filter((_, line) => line % shards === index));
  return { ...opened, rows: opened.rows.filter((row) => own.has(row)) };
}
