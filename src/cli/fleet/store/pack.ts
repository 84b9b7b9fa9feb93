import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { isError } from '../../../core/problem.js';
import { problemsOf, success, type Result } from '../../../core/result.js';
import { openDirectory } from '../../../disk/directory.js';
import { environmentInputs } from '../../../disk/environment.js';
import { cachedInputs } from '../../../disk/read-inputs.js';
import { neededStdin } from '../../../fleet/build/fleet-options.js';
import { fleetWide, type FleetProblem } from '../../../fleet/grouped-problems.js';
import { secretProblems, withSecrets } from '../../../fleet/site-secrets.js';
import { ensureFleetKey } from '../../../fleet/store/fleet-key.js';
import { siteFileCollector } from '../../../fleet/store/pack/files-of-sites.js';
import {
  duplicatesIn,
  indexedSite,
  otherIndexes,
  publishIndex,
} from '../../../fleet/store/pack/fleet-index.js';
import { publishPacks, storePack, type StoredPack } from '../../../fleet/store/pack/pack-store.js';
import { fleetIdOf, shardRows, type Shard } from '../../../fleet/store/pack/shard-pack.js';
import { siteIdentities } from '../../../fleet/store/pack/site-identities.js';
import { storeProblem } from '../../../fleet/store/store-problem.js';
import { inOrder } from '../../../run/threads/in-order.js';
import type { GlobalOptions } from '../../options.js';
import { siteProgress } from '../../progress.js';
import { commandLine } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import { checkedSites } from '../checked-sites.js';
import type { PackOptions } from '../fleet-options.js';
import { secretAccess } from '../site-access-options.js';
import { sitesAtOnce } from './open-store.js';
import { packInputs, type PackInputs } from './pack-inputs.js';
import { printPacked, type PackResult } from './print-packed.js';

type Options = GlobalOptions & PackOptions;

/** Writes the packs of a fleet to its store, after its sites were checked and compared with those of other fleets. */
export async function packFleet(options: Options): Promise<void> {
  const signals = onStopSignals();
  try {
    const given = await packInputs(options, signals.stop);
    const packed = given.ok ? await packInto(options, given.value, signals.stop) : given;
    if (given.ok) for (const store of given.value.stores) store.close();
    const found = 'found' in packed ? packed.found : problemsOf(packed).map(fleetWide);
    const before = given.ok ? given.warnings.map(fleetWide) : [];
    const sites = given.ok ? given.value.opened.rows.length : 0;
    const result = { found: [...before, ...found], ...('done' in packed && { done: packed.done }) };
    printPacked(options, result, { signals, sites });
  } finally {
    signals.release();
  }
}

async function packInto(options: Options, given: PackInputs, stop: AbortSignal): Promise<PackResult> {
  const jobs = availableParallelism();
  const isStopped = (): boolean => stop.aborted;
  const opened = await withSecrets(given.opened, { ...secretAccess(options), jobs, stop });
  const own: PackInputs = { ...given, opened };
  const ofSecrets = secretProblems(opened);
  if (ofSecrets.length > 0 || isStopped()) return { found: ofSecrets };
  // A pod would find the same problems, but only log them.
  const checked = await checkedSites(options, { opened, stdin: given.stdin, jobs });
  if (hasErrors(checked) || isStopped()) return { found: checked };
  try {
    const found = [...checked, ...(await compareWithFleets(options, own))];
    if (hasErrors(found) || isStopped()) return { found };
    const key = await keyIn(options, own);
    if (!key.ok) return { found: [...found, ...key.problems.map(fleetWide)] };
    const stored = await storeShards(options, { ...own, fleetKey: key.value }, stop);
    if (!stored.ok || isStopped()) return { found: [...found, ...problemsOf(stored).map(fleetWide)] };
    await publishPacks(
      given.store,
      key.value,
      stored.value.map(({ name }) => name),
    );
    const { shards } = given;
    const done = { shards, sites: opened.rows.length, fleetId: fleetIdOf(key.value), packs: stored.value };
    return { found, done };
  } catch (error) {
    return { found: [...checked, fleetWide(storeProblem(error))] };
  }
}

function hasErrors(found: readonly FleetProblem[]): boolean {
  return found.some(({ problem: each }) => isError(each));
}

/** Two fleets that are packed at the same time both write first and then compare, so at least one of them finds a duplicate. */
async function compareWithFleets(options: Options, given: PackInputs): Promise<readonly FleetProblem[]> {
  const { opened, index, keys } = given;
  if (index === undefined) return [];
  const identities = siteIdentities(opened, cachedInputs(options.dir, {}));
  if (!identities.ok) return identities.problems.map(fleetWide);
  const sites = [...identities.value];
  const compare = async (): Promise<readonly FleetProblem[]> => {
    const others = await otherIndexes(index.store, index.fleet, keys);
    return others.ok ? duplicatesIn(others.value, sites) : others.problems.map(fleetWide);
  };
  const found = await compare();
  if (hasErrors(found)) return found;
  const recipients = opened.fleet.recipients.map(({ text }) => text);
  await publishIndex(index.store, { fleet: index.fleet, sites: sites.map(indexedSite) }, recipients);
  return compare();
}

/** Holds the lock of the output folder, which keeps the key. */
async function keyIn(options: Options, { opened, store, keys }: PackInputs): Promise<Result<string>> {
  const outputs = join(options.dir, opened.fleet.outputs);
  const lock = await openDirectory(outputs, commandLine(), options.dir);
  if (!lock.ok) return lock;
  try {
    const recipients = opened.fleet.recipients.map(({ text }) => text);
    return await ensureFleetKey(store, { outputs, keys, recipients, runs: 'beside' });
  } finally {
    lock.value.release();
  }
}

/** Packs are made one after the other, and uploaded at the same time. */
async function storeShards(
  options: Options,
  given: PackInputs & { readonly fleetKey: string },
  stop: AbortSignal,
): Promise<Result<readonly StoredPack[]>> {
  const { opened, shards, store, recipients, fleetKey, program, stdin } = given;
  const collect = siteFileCollector(opened, cachedInputs(options.dir, {}));
  const input = neededStdin(opened, stdin).stdin;
  const inputs = environmentInputs(process.env);
  const { columns, hasLayers } = opened.table;
  const pack = async (shard: Shard): Promise<Result<StoredPack>> => {
    const rows = shardRows(opened, shard);
    const files = collect(rows);
    if (!files.ok) return files;
    const { variables, ...packed } = files.value;
    return storePack(
      store,
      {
        ...{ ...shard, program, fleetKey, columns, rows, packed },
        variables: { ...inputs, ...valuesOf(variables) },
        ...(hasLayers && { hasLayers }),
        ...(input?.read.kind === 'file' && { stdin: { reader: input.reader, bytes: input.read.bytes } }),
      },
      recipients,
    );
  };
  const progress = siteProgress(options, shards, process.stderr, 'packing shards');
  const stored: StoredPack[] = [];
  try {
    const all = Array.from({ length: shards }, (_, index) => ({ index, shards }));
    for await (const [, made] of inOrder(all, sitesAtOnce, pack)) {
      if (!made.ok) return made;
      stored.push(made.value);
      progress.onSite(stored.length);
      if (stop.aborted) break;
    }
  } finally {
    progress.done();
  }
  return success(stored);
}

/** Unset variables were reported by the check of the sites. */
function valuesOf(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
