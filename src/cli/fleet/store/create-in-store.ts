import { dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { AioOptions, GlobalOptions } from '../../options.js';
import { commandLine, stateAccess } from '../../request.js';
import { type StopSignals, onStopSignals } from '../../stop-signals.js';
import { type Result, failure, problemsOf, success } from '../../../core/result.js';
import { openDirectory } from '../../../disk/directory.js';
import { isFipsHost } from '../../../disk/file-systems/fips-host.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { readRecordKey } from '../../../disk/site-record/record-key.js';
import { temporarySiteFolder } from '../../../disk/site-record/site-contents.js';
import type { CreateFleetOptions } from '../fleet-options.js';
import { openRequestedFleet, siteOptions } from '../fleet-request.js';
import { buildInStore } from '../../../fleet/store/build-in-store.js';
import { ensureFleetKey } from '../../../fleet/store/fleet-key.js';
import { siteStore } from '../../../fleet/store/site-store.js';
import { shardRows } from '../../../fleet/store/pack/shard-pack.js';
import { storeProblem } from '../../../fleet/store/store-problem.js';
import { fleetWide } from '../../../fleet/grouped-problems.js';
import { withSecrets } from '../../../fleet/site-secrets.js';
import { neededStdin, recipientFaults } from '../../../fleet/build/fleet-options.js';
import { type FleetResult, emptyResult } from '../../../fleet/build/build-fleet.js';
import { buildSites } from '../build-sites.js';
import { printFleetResult } from '../print-fleet-result.js';
import { secretAccess } from '../site-access-options.js';
import { openPackedInputs } from './open-packed.js';
import { openRequestedStore, sitesAtOnce } from './open-store.js';
import { parseShard } from './shards-option.js';
import { unencryptedFaults, type StoreInputs } from './store-inputs.js';

type Options = GlobalOptions & AioOptions & CreateFleetOptions & { readonly store: string };

/** Generates the sites of a fleet, or of one shard, into a store and prints the results. */
export async function createInStore(options: Options, jobs: number): Promise<void> {
  const signals = onStopSignals();
  try {
    const open = options.packed === true ? openPackedInputs : openStoreInputs;
    const given = await open(options, signals.stop);
    if (!given.ok) {
      await printFleetResult(options, emptyResult(given.problems));
      return;
    }
    const opened = await withSecrets(given.value.opened, {
      ...secretAccess(options),
      jobs,
      stop: signals.stop,
    });
    const made = await makeInTemporaryFolder(options, { ...given.value, opened, jobs, signals });
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
  const opened = openRequestedFleet(options, stdin);
  const store = openRequestedStore(options, stop);
  const faults = opened.ok
    ? [...(await recipientFaults(opened.value.fleet)), ...unencryptedFaults(opened.value)]
    : [];
  const problems = [...[keys, shard, opened, store].flatMap(problemsOf), ...faults];
  if (!keys.ok || !shard.ok || !opened.ok || !store.ok || faults.length > 0) return failure(...problems);
  const rows = shard.value === undefined ? opened.value.rows : shardRows(opened.value, shard.value);
  const own = { ...opened.value, rows };
  const access = { keys: keys.value, ...neededStdin(own, stdin) };
  return success({ opened: own, access, store: store.value }, problems);
}

interface StoreCreateContext extends StoreInputs {
  readonly jobs: number;
  readonly signals: StopSignals;
}

/** Sites in progress beyond the number of threads, so that threads stay busy during uploads. */
const ahead = 2;

/** Generates sites in a temporary folder, which is removed at the end. A site that is not in the store is generated again. */
async function makeInTemporaryFolder(options: Options, context: StoreCreateContext): Promise<FleetResult> {
  const { opened, access, store, pack, jobs, signals } = context;
  const folder = temporarySiteFolder();
  if (!folder.ok) return emptyResult(folder.problems);
  const end = new AbortController();
  const stop = (): void => {
    end.abort();
  };
  signals.stop.addEventListener('abort', stop);
  try {
    const key = pack === undefined ? await fleetKey(options, context) : success(pack.fleetKey);
    if (!key.ok) return emptyResult(key.problems);
    const recordKey = key.value;
    const dir = pack === undefined ? options.dir : dirname(folder.value.path);
    const ofPack = pack && { packed: pack.packed, variables: pack.variables };
    const order = {
      ...{ ...siteOptions(options, opened, access), ...ofPack, recordKey },
      isFipsHost: isFipsHost(),
      ...{ dir, outputs: relative(dir, folder.value.path), within: folder.value.path },
    };
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

/** Half a minute: another run holds the lock while it creates the key. */
const lockTries = 150;
const lockPauseMs = 200;

/** Reads or creates the fleet key. It is kept in the output folder if that is writable, and in the store. */
async function fleetKey(options: Options, inputs: StoreInputs, tries = lockTries): Promise<Result<string>> {
  const { opened, access, store } = inputs;
  const outputs = join(options.dir, opened.fleet.outputs);
  const recipients = opened.fleet.recipients.map(({ text }) => text);
  const runs = options.shard === undefined ? 'alone' : 'beside';
  const creation = { keys: access.keys, recipients, runs } as const;
  if (readRecordKey(outputs) !== undefined) return ensureFleetKey(store, { ...creation, outputs });
  const lock = await openDirectory(outputs, commandLine(), options.dir);
  if (!lock.ok) {
    // Another run may be about to write the key.
    const isHeld = lock.problems.some(({ code }) => code === 'dir/locked');
    if (isHeld && tries > 0) {
      await wait(lockPauseMs);
      return fleetKey(options, inputs, tries - 1);
    }
    const isReadOnly = lock.problems.every(({ code }) => code === 'dir/not-writable');
    return isReadOnly ? ensureFleetKey(store, creation) : lock;
  }
  try {
    return await ensureFleetKey(store, { ...creation, outputs });
  } finally {
    lock.value.release();
  }
}
