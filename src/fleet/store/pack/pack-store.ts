import { problem, type Problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { countShape, listShape, objectShape, textShape } from '../../../disk/state/state-shape.js';
import { decryptAge, encryptAgeBinary, isAge, type AgeKeys } from '../../../formats/age.js';
import { parseJson } from '../../../formats/json.js';
import type { ObjectStore } from '../../../remote/object-store/object-store.js';
import {
  compressed,
  decompressed,
  fleetIdOf,
  keyed,
  packArchive,
  packName,
  readPackArchive,
  type Shard,
  type ShardPack,
} from './shard-pack.js';

/** The list of the packs of a fleet, without names of sites. */
export interface CurrentPacks {
  readonly shards: number;
  /** Name of the archive of each shard. */
  readonly packs: readonly string[];
  /** HMAC of the list with the fleet key. */
  readonly digest: string;
}

/** Readable list below the prefix. */
const listName = 'packs/current.json';

const version = 1;

const listShapeOf = objectShape({
  version: countShape,
  shards: countShape,
  packs: listShape(textShape('64 hexadecimal digits', (text) => /^[0-9a-f]{64}$/.test(text))),
  digest: textShape(),
});

/** The client reads objects up to this size. */
const maxPackBytes = 60 * 1024 * 1024;

export interface StoredPack {
  readonly name: string;
  readonly bytes: number;
  /** Whether the store had it before. */
  readonly isKnown: boolean;
}

/** Uploads the pack of a shard, unless the store has it. Problems: pack/too-large. Throws StoreFault. */
export async function storePack(
  store: ObjectStore,
  pack: ShardPack,
  recipients: readonly string[],
  maxBytes = maxPackBytes,
): Promise<Result<StoredPack>> {
  const archive = await packArchive(pack);
  const name = packName(pack.fleetKey, archive);
  const head = await store.read(objectName(name), 64);
  if (head !== undefined && isAge(head.bytes)) return success({ name, bytes: 0, isKnown: true });
  const bytes = await encryptAgeBinary(compressed(archive), { recipients });
  if (bytes.length > maxBytes) return tooLarge(pack, bytes.length);
  // Archives of one name have the same contents, but anything else may be in their place.
  await store.write(objectName(name), bytes, head === undefined ? 'nothing' : { tag: head.tag });
  return success({ name, bytes: bytes.length, isKnown: false });
}

function objectName(name: string): string {
  return `packs/${name}.age`;
}

function tooLarge({ index, shards }: Shard, bytes: number): Result<never> {
  const message = `the pack of shard ${index}/${shards} has ${bytes} bytes; the limit is ${maxPackBytes}`;
  return failure(problem('pack/too-large', message, { hint: 'use more --shards' }));
}

/** Makes these packs the current ones. Written last, so that an interrupted run leaves the earlier packs current. Throws StoreFault. */
export async function publishPacks(
  store: ObjectStore,
  fleetKey: string,
  packs: readonly string[],
): Promise<void> {
  const list = { version, shards: packs.length, packs, digest: digestOf(fleetKey, packs) };
  const bytes = Buffer.from(`${JSON.stringify(list, undefined, 2)}\n`);
  for (;;) {
    const before = await store.read(listName);
    if (before?.bytes.equals(bytes) === true) return;
    const condition = before === undefined ? 'nothing' : { tag: before.tag };
    if ((await store.write(listName, bytes, condition)) === 'written') return;
  }
}

function digestOf(fleetKey: string, packs: readonly string[]): string {
  return keyed(fleetKey).update(JSON.stringify(packs)).digest('hex');
}

/** Access of a pod to the pack of its shard. */
export interface PackAccess {
  readonly shard: Shard;
  readonly keys: AgeKeys;
  /** See `fleetIdOf`. */
  readonly fleetId: string;
  readonly program: string;
}

/** Reads the pack of a shard. Problems: pack/missing, pack/shards, pack/key, pack/program, pack/damaged. Throws StoreFault. */
export async function fetchPack(store: ObjectStore, access: PackAccess): Promise<Result<ShardPack>> {
  const listed = await store.read(listName);
  if (listed === undefined) return failure(missing('the store has no packs'));
  const list = parseJson(listed.bytes.toString('utf8'));
  if (!isList(list)) return damaged(`${listName} is not a list of packs`);
  const { index, shards } = access.shard;
  if (list.shards !== shards || list.packs.length !== shards) return otherShards(list.shards, access.shard);
  const name = list.packs[index] ?? '';
  const object = await store.read(objectName(name));
  if (object === undefined)
    return failure(
      missing(`the store does not have the pack of shard ${index}/${shards} (${objectName(name)})`),
    );
  const opened = await decryptAge(object.bytes, access.keys);
  if ('fault' in opened)
    return opened.fault === 'no-key' ? noKey() : damaged(`${objectName(name)} was changed or cut off`);
  const archive = decompressed(opened.bytes);
  const pack = archive === undefined ? 'damaged' : await readPackArchive(archive, access.program);
  if (pack === 'program') return otherProgram();
  const isOwn =
    archive !== undefined &&
    pack !== 'damaged' &&
    packName(pack.fleetKey, archive) === name &&
    digestOf(pack.fleetKey, list.packs) === list.digest &&
    pack.index === index &&
    pack.shards === shards;
  if (!isOwn) return damaged(`${objectName(name)} is not the pack of shard ${index}/${shards}`);
  return fleetIdOf(pack.fleetKey) === access.fleetId ? success(pack) : otherFleet();
}

function isList(value: unknown): value is CurrentPacks {
  return listShapeOf(value, '') === undefined;
}

const packAgain = 'run `fleet pack` with this store, then create the Job again';

function missing(message: string): Problem {
  return problem('pack/missing', message, { hint: packAgain });
}

function otherShards(found: number, { shards }: Shard): Result<never> {
  const message = `the store has the packs of ${found} shards, not of ${shards}`;
  const hint = `run \`fleet pack --shards ${shards}\`, or create the Job again with --shards ${found}`;
  return failure(problem('pack/shards', message, { hint }));
}

function noKey(): Result<never> {
  const message = 'no identity decrypts the pack';
  const hint = 'use the identity of a --recipient of `fleet pack`, which is by default one of fleet.yaml';
  return failure(problem('pack/key', message, { hint }));
}

function otherProgram(): Result<never> {
  const message = 'the pack was written by another build of sno-install';
  const hint = 'run `fleet pack` and the pods with the same version';
  return failure(problem('pack/program', message, { hint }));
}

function otherFleet(): Result<never> {
  const message = 'the pack belongs to another fleet than --fleet-id';
  const hint =
    'use the fleet ID that `fleet pack` prints; if it is the right one, find out who writes below the prefix';
  return failure(problem('pack/fleet', message, { hint }));
}

function damaged(message: string): Result<never> {
  return failure(problem('pack/damaged', message, { hint: packAgain }));
}
