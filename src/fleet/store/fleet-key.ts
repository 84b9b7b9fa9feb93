import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import {
  ensureRecordKey,
  generateRecordKey,
  parseRecordKey,
  readRecordKey,
} from '../../disk/site-record/record-key.js';
import { decryptAge, encryptAge, isAge, type AgeKeys } from '../../formats/age.js';
import type { ObjectStore, StoredObject } from '../../remote/object-store/object-store.js';
import { StoreFault } from '../../remote/object-store/store-fault.js';

/** Sources of the fleet key, which seals the records in a store. */
export interface FleetKeySources {
  /** Output folder with the key, or where the key is kept. The caller holds its lock, unless the folder has a key. */
  readonly outputs?: string;
  /** Whether nothing may be written to the output folder. */
  readonly isReadOnly?: true;
  /** Decrypt the key in the store. */
  readonly keys: AgeKeys;
}

/** How to create the key in a store that has none. */
export interface FleetKeyCreation {
  readonly recipients: readonly string[];
  /** With runs `beside` this one, the store must support conditional writes. */
  readonly runs: 'alone' | 'beside';
}

/** Object name of the encrypted key, below the prefix. */
const keyName = 'fleet-key.age';

/** Readable key of stores that are no longer supported. */
const readableKeyName = 'fleet-key';

/** Without conditional writes, concurrent runs would generate two keys, and the last run would overwrite sites of the others. */
const unconditional =
  'it does not support conditional writes (If-None-Match), so shards would overwrite each other; create the fleet without --shard';

/**
 * Returns the fleet key (hex) of a store and keeps it in the output folder; undefined if neither has one. Throws StoreFault.
 * Problems: store/key, store/other-site, and those of `commit`.
 */
export async function findFleetKey(
  store: ObjectStore,
  sources: FleetKeySources,
): Promise<Result<string | undefined>> {
  const object = await store.read(keyName);
  if (object === undefined) {
    if (await hasReadableKey(store)) return unsupported();
    return success(ownKey(sources));
  }
  return kept(await opened(object, sources), sources);
}

/** Like `findFleetKey`, but the first run generates the key. */
export async function ensureFleetKey(
  store: ObjectStore,
  { recipients, runs, ...sources }: FleetKeySources & FleetKeyCreation,
): Promise<Result<string>> {
  const before = await store.read(keyName);
  if (before === undefined && (await hasReadableKey(store))) return unsupported();
  const made = before === undefined ? await createKey(store, recipients, ownKey(sources)) : undefined;
  const object = before ?? made?.object;
  if (object === undefined) throw new StoreFault('damaged', `${keyName} was written, but cannot be read`);
  const key = made?.key === undefined ? await opened(object, sources) : success(made.key);
  if (!key.ok) return key;
  // The same bytes, in case that the store ignores the condition.
  if (runs === 'beside' && (await store.write(keyName, object.bytes, 'nothing')) !== 'taken')
    throw new StoreFault('refused', unconditional);
  return kept(key, sources);
}

/** Without `key`, another run has created it first. */
async function createKey(
  store: ObjectStore,
  recipients: readonly string[],
  own: string | undefined,
): Promise<{ readonly object: Pick<StoredObject, 'bytes'> | undefined; readonly key?: string }> {
  const key = own ?? generateRecordKey();
  const bytes = Buffer.from(await encryptAge(`${key}\n`, { recipients }));
  if ((await store.write(keyName, bytes, 'nothing')) === 'written') return { object: { bytes }, key };
  const object = await store.read(keyName);
  // After a lost response, the key that exists is this one.
  return object?.bytes.equals(bytes) === true ? { object, key } : { object };
}

async function opened(
  { bytes }: Pick<StoredObject, 'bytes'>,
  { keys, ...sources }: FleetKeySources,
): Promise<Result<string>> {
  if (!isAge(bytes)) throw new StoreFault('damaged', `${keyName} is not an age file`);
  const own = ownKey(sources);
  if (own !== undefined && keys.identities.length === 0) return success(own);
  const decrypted = await decryptAge(bytes, keys);
  if ('fault' in decrypted) {
    if (decrypted.fault === 'damaged') throw new StoreFault('damaged', `${keyName} was changed or cut off`);
    return own === undefined ? noKey() : success(own);
  }
  const stored = parseRecordKey(decrypted.bytes);
  if (stored === undefined) throw new StoreFault('damaged', `${keyName} contains no valid key`);
  return own === undefined || own === stored ? success(stored) : otherKey();
}

function ownKey({ outputs }: Pick<FleetKeySources, 'outputs'>): string | undefined {
  return outputs === undefined ? undefined : readRecordKey(outputs);
}

function kept(key: Result<string>, { outputs, isReadOnly }: FleetKeySources): Result<string> {
  return key.ok && outputs !== undefined && isReadOnly !== true ? ensureRecordKey(outputs, key.value) : key;
}

async function hasReadableKey(store: ObjectStore): Promise<boolean> {
  return (await store.read(readableKeyName, 1)) !== undefined;
}

function noKey(): Result<never> {
  const message = `no identity decrypts ${keyName} of the store, and the output folder has no fleet key`;
  const hint =
    'add --identity FILE of a recipient in fleet.yaml, or copy .sno-install-fleet-key into the output folder';
  return failure(problem('store/key', message, { hint }));
}

function otherKey(): Result<never> {
  const message = 'the output directory belongs to another run than the store';
  const hint = 'set another directory as `outputs` in fleet.yaml';
  return failure(problem('store/other-site', message, { hint }));
}

function unsupported(): Result<never> {
  const message = `the store has a readable key (${readableKeyName}), which this version does not support`;
  const hint = 'create the fleet below another prefix, then delete the old one';
  return failure(problem('store/key', message, { hint }));
}
