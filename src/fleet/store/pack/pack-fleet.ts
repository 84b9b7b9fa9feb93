import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { isError } from '../../../core/problem.js';
import { problemsOf, success, type Result } from '../../../core/result.js';
import { openDirectory } from '../../../disk/directory.js';
import { environmentInputs, type Variables } from '../../../disk/environment.js';
import type { Surroundings } from '../../../run/effects/surroundings.js';
import { cachedInputs } from '../../../disk/read-inputs.js';
import type { AgeKeys } from '../../../formats/age.js';
import type { ObjectStore } from '../../../remote/object-store/object-store.js';
import { commandLine } from '../../../run/effects/command-line.js';
import { inOrder } from '../../threads/in-order.js';
import { neededStdin } from '../../build/fleet-options.js';
import type { LoadedFleet } from '../../table/check-fleet.js';
import { fleetWide, type FleetProblem } from '../../problems/grouped-problems.js';
import type { SitesToCheck } from '../../review/check-sites.js';
import type { ShowProgress } from '../../table/site-progress.js';
import { secretAccess, secretProblems, withSecrets } from '../../table/site-secrets.js';
import { ensureFleetKey } from '../fleet-key.js';
import { sitesAtOnce } from '../open-store.js';
import { storeProblem } from '../store-problem.js';
import { siteFileCollector } from './files-of-sites.js';
import { duplicatesIn, indexedSite, otherIndexes, publishIndex } from './fleet-index.js';
import { publishPacks, storePack, type StoredPack } from './pack-store.js';
import { fleetIdOf, shardRows, type Shard } from './shard-pack.js';
import { siteIdentities } from './site-identities.js';

/** Inputs of `fleet pack`. */
export interface PackInputs {
  readonly surroundings: Surroundings;
  readonly opened: LoadedFleet;
  readonly keys: AgeKeys;
  readonly shards: number;
  readonly program: string;
  /** Recipients of the packs. */
  readonly recipients: readonly string[];
  readonly store: ObjectStore;
  readonly index?: { readonly store: ObjectStore; readonly fleet: string };
  readonly stores: readonly ObjectStore[];
}

/** Packs in the store. */
export interface Packed {
  readonly shards: number;
  readonly sites: number;
  readonly fleetId: string;
  readonly packs: readonly StoredPack[];
}

export interface PackResult {
  readonly found: readonly FleetProblem[];
  readonly done?: Packed;
}

export interface Packing extends PackInputs {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly allowCommands?: true;
  readonly stop: AbortSignal;
  readonly showProgress: ShowProgress;
  /** Checks every site, like `fleet validate`. */
  readonly check: (sites: Pick<SitesToCheck, 'opened' | 'jobs'>) => Promise<readonly FleetProblem[]>;
  /** Called with the number of stored packs. */
  readonly onPack: (stored: number) => void;
}

/** Writes the packs of a fleet to its store, after its sites were checked and compared with those of other fleets. */
export async function packFleet(given: Packing): Promise<PackResult> {
  const { stop } = given;
  const jobs = availableParallelism();
  const isStopped = (): boolean => stop.aborted;
  const opened = await withSecrets(given.opened, { ...secretAccess(given, given.showProgress), jobs, stop });
  const own: Packing = { ...given, opened };
  const ofSecrets = secretProblems(opened);
  if (ofSecrets.length > 0 || isStopped()) return { found: ofSecrets };
  // A pod would find the same problems, but only log them.
  const checked = await given.check({ opened, jobs });
  if (hasErrors(checked) || isStopped()) return { found: checked };
  try {
    const found = [...checked, ...(await compareWithFleets(own))];
    if (hasErrors(found) || isStopped()) return { found };
    const key = await keyIn(own);
    if (!key.ok) return { found: [...found, ...key.problems.map(fleetWide)] };
    const stored = await storeShards({ ...own, fleetKey: key.value });
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
async function compareWithFleets(given: Packing): Promise<readonly FleetProblem[]> {
  const { opened, index, keys, dir } = given;
  if (index === undefined) return [];
  const identities = siteIdentities(opened, cachedInputs(dir, {}));
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
async function keyIn({ dir, opened, store, keys }: Packing): Promise<Result<string>> {
  const outputs = join(dir, opened.fleet.outputs);
  const lock = await openDirectory(outputs, commandLine(), dir);
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
  given: Packing & { readonly fleetKey: string },
): Promise<Result<readonly StoredPack[]>> {
  const { dir, opened, shards, store, recipients, fleetKey, program, surroundings, stop, onPack } = given;
  const collect = siteFileCollector(opened, cachedInputs(dir, {}));
  const input = neededStdin(opened, surroundings.stdin).stdin;
  const inputs = environmentInputs(surroundings.variables);
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
        variables: { ...inputs, ...valuesOf(variables, surroundings.variables) },
        ...(hasLayers && { hasLayers }),
        ...(input?.read.kind === 'file' && { stdin: { reader: input.reader, bytes: input.read.bytes } }),
      },
      recipients,
    );
  };
  const stored: StoredPack[] = [];
  const all = Array.from({ length: shards }, (_, index) => ({ index, shards }));
  for await (const [, made] of inOrder(all, sitesAtOnce, pack)) {
    if (!made.ok) return made;
    stored.push(made.value);
    onPack(stored.length);
    if (stop.aborted) break;
  }
  return success(stored);
}

/** Unset variables were reported by the check of the sites. */
function valuesOf(names: readonly string[], variables: Variables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
