import { dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { success, type Result } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import { isFipsHost } from '../../disk/file-systems/fips-host.js';
import { readRecordKey } from '../../disk/site-record/record-key.js';
import { temporarySiteFolder } from '../../disk/site-record/site-contents.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { commandLine } from '../../run/effects/command-line.js';
import { emptyResult, type FleetResult } from '../build/build-fleet.js';
import { generateSites } from '../build/generate-sites.js';
import { siteOptions } from '../build/fleet-request.js';
import { buildInStore } from './build-in-store.js';
import { ensureFleetKey } from './fleet-key.js';
import { sitesAtOnce } from './open-store.js';
import { siteStore } from './site-store.js';
import type { StoreInputs } from './store-inputs.js';
import { storeProblem } from './store-problem.js';

export interface StoreCreation extends StoreInputs {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly offlineFiles?: string;
  readonly surroundings: Surroundings;
  /** Whether only one shard is created. */
  readonly isShard: boolean;
  /** Threads. */
  readonly jobs: number;
  readonly stop: AbortSignal;
  readonly failFast: boolean;
  /** Called with the outcome of each site. */
  readonly onSite: (outcome: string) => void;
  /** Called when no further site is started. */
  readonly onStop: () => void;
}

/** Sites in progress beyond the number of threads, so that threads stay busy during uploads. */
const ahead = 2;

/** Generates sites in a temporary folder, which is removed at the end. A site that is not in the store is generated again. */
export async function createInStore(creation: StoreCreation): Promise<FleetResult> {
  const { opened, access, store, pack, jobs, failFast, onSite } = creation;
  const folder = temporarySiteFolder();
  if (!folder.ok) return emptyResult(folder.problems);
  const end = new AbortController();
  const stop = (): void => {
    end.abort();
  };
  creation.stop.addEventListener('abort', stop);
  end.signal.addEventListener('abort', creation.onStop);
  try {
    const key = pack === undefined ? await fleetKey(creation) : success(pack.fleetKey);
    if (!key.ok) return emptyResult(key.problems);
    const recordKey = key.value;
    const dir = pack === undefined ? creation.dir : dirname(folder.value.path);
    const ofPack = pack && { packed: pack.packed, variables: pack.variables };
    const order = {
      ...{ ...siteOptions(creation, opened, access), ...ofPack, recordKey },
      isFipsHost: isFipsHost(),
      ...{ dir, outputs: relative(dir, folder.value.path), within: folder.value.path },
    };
    return await generateSites({
      opened,
      order,
      jobs,
      failFast,
      onSite,
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
async function fleetKey(creation: StoreCreation, tries = lockTries): Promise<Result<string>> {
  const { dir, isShard, opened, access, store } = creation;
  const outputs = join(dir, opened.fleet.outputs);
  const recipients = opened.fleet.recipients.map(({ text }) => text);
  const runs = isShard ? 'beside' : 'alone';
  const keyCreation = { keys: access.keys, recipients, runs } as const;
  if (readRecordKey(outputs) !== undefined) return ensureFleetKey(store, { ...keyCreation, outputs });
  const lock = await openDirectory(outputs, commandLine(), dir);
  if (!lock.ok) {
    // Another run may be about to write the key.
    const isHeld = lock.problems.some(({ code }) => code === 'dir/locked');
    if (isHeld && tries > 0) {
      await wait(lockPauseMs);
      return fleetKey(creation, tries - 1);
    }
    const isReadOnly = lock.problems.every(({ code }) => code === 'dir/not-writable');
    return isReadOnly ? ensureFleetKey(store, keyCreation) : lock;
  }
  try {
    return await ensureFleetKey(store, { ...keyCreation, outputs });
  } finally {
    lock.value.release();
  }
}
