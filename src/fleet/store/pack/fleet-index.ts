import { byCodeUnit } from '../../../core/compare.js';
import { problem, type Place, type Problem } from '../../../core/problem.js';
import { quotedName } from '../../../core/quoted.js';
import { failure, success, type Result } from '../../../core/result.js';
import { countShape, listShape, objectShape, textShape } from '../../../disk/state/state-shape.js';
import { decryptAge, encryptAgeBinary, type AgeKeys } from '../../../formats/age.js';
import { parseJson } from '../../../formats/json.js';
import { sha256 } from '../../../formats/sha256.js';
import type { ObjectStore } from '../../../remote/object-store/object-store.js';
import { isSameMachine, type BmcAddress } from '../../../remote/redfish/bmc-address.js';
import { GroupedProblems, type FleetProblem } from '../../problems/grouped-problems.js';
import { compressed, decompressed } from './shard-pack.js';
import type { SiteIdentities } from './site-identities.js';

/** Index of one fleet: values that other fleets may not use. */
export interface FleetIndex {
  /** Bucket and prefix of the fleet's store. */
  readonly fleet: string;
  readonly sites: readonly IndexedSite[];
}

interface IndexedSite {
  readonly name: string;
  readonly values: readonly string[];
  readonly bmc?: BmcAddress;
}

const version = 1;

/** Readable list of the fleets, by the names of their index objects. */
const listName = 'fleets.json';

const listed = objectShape({
  version: countShape,
  fleets: listShape(textShape('32 hexadecimal digits', (text) => /^[0-9a-f]{32}$/.test(text))),
});

const indexShape = objectShape({
  version: countShape,
  fleet: textShape(),
  sites: listShape(
    objectShape(
      { name: textShape(), values: listShape(textShape()) },
      { bmc: objectShape({ origin: textShape() }, { system: textShape() }) },
    ),
  ),
});

/** Without the places of the values. */
export function indexedSite({ name, values, bmc }: SiteIdentities): IndexedSite {
  return {
    name,
    values: values.map(({ key }) => key),
    ...(bmc && { bmc: { origin: bmc.origin, ...(bmc.system !== undefined && { system: bmc.system }) } }),
  };
}

/** Name of a fleet's index, without the names in its store. */
function nameOf(fleet: string): string {
  return sha256(fleet).slice(0, 32);
}

/** Writes the index of a fleet, then adds it to the list. Throws StoreFault. */
export async function publishIndex(
  store: ObjectStore,
  { fleet, sites }: FleetIndex,
  recipients: readonly string[],
): Promise<void> {
  const text = JSON.stringify({ version, fleet, sites });
  const sealed = await encryptAgeBinary(compressed(Buffer.from(text)), { recipients });
  await replace(store, `${nameOf(fleet)}.age`, () => sealed);
  await replace(store, listName, (before) => {
    const known = fleetsIn(before) ?? [];
    if (known.includes(nameOf(fleet))) return undefined;
    const fleets = [...known, nameOf(fleet)].sort(byCodeUnit);
    return Buffer.from(`${JSON.stringify({ version, fleets }, undefined, 2)}\n`);
  });
}

/** Writes an object and repeats this if another run writes it at the same time. */
async function replace(
  store: ObjectStore,
  name: string,
  next: (before: Uint8Array | undefined) => Uint8Array | undefined,
): Promise<void> {
  for (;;) {
    const before = await store.read(name);
    const bytes = next(before?.bytes);
    if (bytes === undefined) return;
    const condition = before === undefined ? 'nothing' : { tag: before.tag };
    if ((await store.write(name, bytes, condition)) === 'written') return;
  }
}

function fleetsIn(bytes: Uint8Array | undefined): readonly string[] | undefined {
  const value = bytes && parseJson(Buffer.from(bytes).toString('utf8'));
  return isList(value) ? value.fleets : undefined;
}

function isList(value: unknown): value is { readonly fleets: readonly string[] } {
  return listed(value, '') === undefined;
}

/** Reads the indexes of all other fleets. Problems: pack/index. Throws StoreFault. */
export async function otherIndexes(
  store: ObjectStore,
  fleet: string,
  keys: AgeKeys,
): Promise<Result<readonly FleetIndex[]>> {
  const list = await store.read(listName);
  const names = list === undefined ? [] : fleetsIn(list.bytes);
  if (names === undefined) return failure(unreadable(listName, 'is damaged'));
  const problems: Problem[] = [];
  const indexes: FleetIndex[] = [];
  for (const name of names.filter((each) => each !== nameOf(fleet))) {
    const object = await store.read(`${name}.age`);
    // Its owner deleted it together with the fleet.
    if (object === undefined) continue;
    const index = await openedIndex(object.bytes, keys);
    if (typeof index === 'string') problems.push(unreadable(`${name}.age`, index));
    else indexes.push(index);
  }
  return problems.length > 0 ? failure(...problems) : success(indexes);
}

async function openedIndex(bytes: Uint8Array, keys: AgeKeys): Promise<FleetIndex | string> {
  const opened = await decryptAge(bytes, keys);
  if ('fault' in opened)
    return opened.fault === 'no-key' ? 'is not encrypted to any of these identities' : 'is damaged';
  const value = parseJson(decompressed(opened.bytes)?.toString('utf8') ?? '');
  return isIndex(value) ? value : 'is damaged';
}

function isIndex(value: unknown): value is FleetIndex {
  return indexShape(value, '') === undefined;
}

function unreadable(name: string, reason: string): Problem {
  const message = `the index of another fleet cannot be read: ${name} ${reason}`;
  const hint = 'add --identity FILE of a recipient of that fleet, or use --no-index to skip the comparison';
  return problem('pack/index', message, { hint });
}

/** Compares sites with those of other fleets. Problems: pack/duplicate, each at its value. */
export function duplicatesIn(
  others: readonly FleetIndex[],
  sites: Iterable<SiteIdentities>,
): readonly FleetProblem[] {
  const used = new Map<string, string>();
  const machines = new Map<string, { readonly bmc: BmcAddress; readonly owner: string }[]>();
  for (const { fleet, sites: indexed } of others)
    for (const { name, values, bmc } of indexed) {
      const owner = `the site ${quotedName(name)} of the fleet in ${quotedName(fleet)}`;
      for (const value of values) used.set(value, owner);
      if (bmc) machines.set(bmc.origin, [...(machines.get(bmc.origin) ?? []), { bmc, owner }]);
    }
  const found = new GroupedProblems();
  for (const { name, values, bmc } of sites) {
    const same = bmc && machines.get(bmc.origin)?.find((each) => isSameMachine(each.bmc, bmc));
    found.add(name, [
      ...values.flatMap(({ what, key, at }) => duplicate(what, used.get(key), at)),
      ...(bmc ? duplicate('this BMC', same?.owner, bmc.at) : []),
    ]);
  }
  return found.list();
}

function duplicate(what: string, owner: string | undefined, at: Place): readonly Problem[] {
  if (owner === undefined) return [];
  const hint = 'use a different value, or delete the index object of a fleet that no longer exists';
  return [problem('pack/duplicate', `${what} is already used by ${owner}`, { at, hint })];
}
