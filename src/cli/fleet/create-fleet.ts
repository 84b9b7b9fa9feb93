import { join } from 'node:path';

import { fleetWide } from '../../fleet/problems/index.js';
import {
  recipientFaults,
  createSites,
  sitesBelow,
  type SitesToCreate,
  encryptedConfigFaults,
  isoPayloads,
  namedPayloads,
  openLiveIso,
  type LiveIsoOptions,
  emptyResult,
  type FleetResult,
} from '../../fleet/build/index.js';
import { processSurroundings } from '../surroundings.js';
import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { unignoredSecrets } from '../../disk/git/unignored-secrets.js';
import { digestFile } from '../../disk/file-digest.js';
import { unreadableFile } from '../../disk/named-file.js';
import type { LoadedFleet } from '../../fleet/table/index.js';
import { findPayload, payloadOffset } from '../../media/payload/appended-payload.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import { liveTarget } from '../media/live-config.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { fleetProgress } from '../progress.js';
import { alreadyAppended, largeMedium } from '../payload/payload-for-iso.js';
import { parseRenewal } from '../renewal.js';
import { stateAccess } from '../request.js';
import { onStopSignals, type StopSignals } from '../stop-signals.js';
import { conflictError, usageError } from '../usage-error.js';
import type { CreateFleetOptions } from './fleet-options.js';
import { openFleetOf, withFetchedSecrets } from './open-fleet.js';
import { parseJobs } from './jobs-option.js';
import { printFleetResult } from './print-fleet-result.js';

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
  const { store, shard, packed, fleetId } = options;
  if (isoFault(options)) return;
  if ((packed === true) !== (fleetId !== undefined) || (packed === true && shard === undefined)) {
    usageError(
      options,
      '--packed, --fleet-id and --shard are used together',
      'add --packed --shard 0/8 --fleet-id ID, with the ID that `fleet pack` printed',
    );
    return;
  }
  if (store !== undefined) {
    if (renewal.value.renewal !== undefined) {
      conflictError(
        options,
        '--renew and --renew-before are not supported with --store',
        'remove --renew and --renew-before',
      );
      return;
    }
    const { createFleetInStore } = await import('./store/create-in-store.js');
    await createFleetInStore({ ...options, store }, jobs);
    return;
  }
  if (shard !== undefined) {
    usageError(options, '--shard requires --store', 'add --store s3://bucket/prefix');
    return;
  }
  const stdin = standardInput();
  const keys = await stateAccess(options, stdin).keys();
  const opened = openFleetOf(options, stdin);
  const faults = opened.ok ? await recipientFaults(opened.value.fleet) : [];
  const iso = await checkedIso(options, opened.ok ? opened.value : undefined);
  const closed =
    keys.ok && opened.ok && options.iso !== undefined
      ? await encryptedConfigFaults(sitesBelow(options, opened.value), keys.value)
      : [];
  const problems = [keys, opened, iso].flatMap(problemsOf).concat(faults, closed);
  if (!keys.ok || !opened.ok || !iso.ok || faults.length + closed.length > 0) {
    await printFleetResult(options, emptyResult(problems));
    return;
  }
  const signals = onStopSignals();
  try {
    const given = {
      opened: await withFetchedSecrets(options, opened.value, { jobs, stop: signals.stop }),
      keys: keys.value,
      surroundings: processSurroundings(stdin),
      jobs,
      signals,
      ...renewal.value,
      ...iso.value,
    };
    const made = await createShown(options, given);
    const outputs = join(options.dir, opened.value.fleet.outputs);
    const unignored = unignoredSecrets(outputs, { sites: made.sites.map(({ name }) => name) });
    await printFleetResult(
      options,
      { ...made, problems: [...[...problems, ...unignored].map(fleetWide), ...made.problems] },
      signals,
    );
  } finally {
    signals.release();
  }
}

/** Reports options that cannot be combined with or without `--iso`. */
function isoFault(options: Options): boolean {
  const { iso, force, store, payload } = options;
  if (iso === undefined && (force === true || payload !== undefined)) {
    const option = force === true ? '--force' : payload === false ? '--no-payload' : '--payload';
    usageError(options, `${option} requires --iso`, 'add --iso LIVE.iso');
  } else if (iso !== undefined && store !== undefined)
    conflictError(
      options,
      '--iso is not supported with --store',
      'remove --iso; `fleet collect` downloads the sites, then run `fleet create --iso`',
    );
  else return false;
  return true;
}

/** Checks and hashes the ISO once for all sites. Problems: usage/unknown-argument, those of `openLiveIso` and `isoPayloads`. */
async function checkedIso(
  { dir, iso: path, force, payload }: Options,
  fleet: LoadedFleet | undefined,
): Promise<Result<{ readonly iso?: LiveIsoOptions }>> {
  if (path === undefined) return success({});
  const target = fleet?.fleet.target ?? liveTarget;
  if (target !== liveTarget) {
    const hint = 'remove --iso';
    return failure(
      problem('usage/unknown-argument', `--iso is not supported for target ${target}`, { hint }),
    );
  }
  const opened = await openLiveIso({ path, force: force === true });
  if (!opened.ok) return opened;
  const { image } = opened.value.live;
  const isDoubled = findPayload(image) !== undefined;
  opened.value.close();
  if (isDoubled) return failure(alreadyAppended(path));
  const payloads =
    payload === false || fleet === undefined
      ? success(false as const)
      : isoPayloads(namedPayloads(dir, fleet), payload);
  if (!payloads.ok) return payloads;
  const digest = digestFile(path);
  if (digest.kind !== 'file') return unreadableFile('--iso', path, 'it is not a regular file');
  const appended = payloads.value === false ? [] : [...payloads.value.values()];
  const largest = Math.max(0, ...appended.map(({ bytes }) => payloadOffset(image.bytes) + bytes));
  return success({ iso: { path, force: force === true, sha256: digest.sha256, payloads: payloads.value } }, [
    ...opened.warnings,
    ...largeMedium(largest),
  ]);
}

/** `createSites` with its progress. */
export async function createShown(
  options: Options,
  {
    signals: { stop },
    ...given
  }: Omit<SitesToCreate, 'stop' | 'failFast' | 'onSite'> & {
    readonly signals: StopSignals;
  },
): Promise<FleetResult> {
  const progress = fleetProgress(options, given.opened.rows.length);
  const { onSite } = progress;
  stop.addEventListener('abort', progress.onStop);
  try {
    return await createSites(options, { ...given, stop, failFast: options.failFast === true, onSite });
  } finally {
    progress.done();
  }
}
