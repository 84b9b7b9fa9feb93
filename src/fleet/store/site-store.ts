import { generateRecordKey, parseRecordKey } from '../../disk/site-record/record-key.js';
import { filesMatchRecord, type SiteContents } from '../../disk/site-record/site-contents.js';
import { parseSiteRecord, recordName, type SiteRecord } from '../../disk/site-record/site-record.js';
import { filesOfTar, firstFileOfTar, tarOf } from '../../formats/tar/tar-archive.js';
import { isInsidePath } from '../../disk/inside-path.js';
import type { ObjectStore, Precondition, StoredObject } from '../../remote/object-store/object-store.js';
import { StoreFault } from '../../remote/object-store/store-fault.js';

/** Record of a stored site, read without the rest of the archive. */
export interface StoredRecord {
  readonly record: SiteRecord;
  readonly tag: string;
}

/** Sites in an object store. Each site is one archive, so it is complete or absent. All calls throw StoreFault. */
export interface SiteStore {
  /** Returns the record of a site; undefined if the store does not contain it. */
  readonly look: (site: string) => Promise<StoredRecord | undefined>;
  /** Returns all files of a site, verified against its record. */
  readonly fetch: (site: string) => Promise<(SiteContents & { readonly tag: string }) | undefined>;
  /** Replaces the site if `before` still matches. Otherwise the stored site is kept and its record returned. */
  readonly keep: (
    site: string,
    contents: SiteContents,
    before: Precondition,
  ) => Promise<'kept' | StoredRecord>;
  /** HMAC key of the fingerprints in records, hex; undefined if no run has created it. */
  readonly recordKey: () => Promise<string | undefined>;
  /** Like `recordKey`, but the first run generates the key. With runs `beside` this one, the store must support conditional writes. */
  readonly ensuredRecordKey: (runs: 'alone' | 'beside') => Promise<string>;
}

/** Records usually have a few kilobytes. If a record is larger, the whole archive is read. */
const headBytes = 64 * 1024;

/** Object name of the key, below the prefix. */
const keyName = 'fleet-key';

/** Without conditional writes, concurrent runs would generate two keys, and the last run would overwrite sites of the others. */
const unconditional =
  'it does not support conditional writes (If-None-Match), so shards would overwrite each other; create the fleet without --shard';

/** Stores sites below the prefix of a store as `sites/NAME.tar`. */
export function siteStore(store: ObjectStore): SiteStore {
  const nameOf = (site: string): string => `sites/${site}.tar`;
  const fetch: SiteStore['fetch'] = async (site) => {
    const object = await store.read(nameOf(site));
    return object && { ...(await contentsOf(site, object)), tag: object.tag };
  };
  const look: SiteStore['look'] = async (site) => {
    const object = await store.read(nameOf(site), headBytes);
    if (object === undefined) return undefined;
    const first = firstFileOfTar(object.bytes);
    const record = first?.path === recordName ? parseSiteRecord(first.contents) : undefined;
    return record === undefined ? fetch(site) : { record, tag: object.tag };
  };
  const recordKey: SiteStore['recordKey'] = async () => {
    const object = await store.read(keyName);
    const key = object && parseRecordKey(object.bytes);
    if (object !== undefined && key === undefined) throw damaged('its record key is not valid');
    return key;
  };
  const putKey = (key: string): Promise<'written' | 'taken'> =>
    store.write(keyName, Buffer.from(`${key}\n`), 'nothing');
  const firstKey = async (): Promise<string> => {
    const drawn = generateRecordKey();
    return (await putKey(drawn)) === 'written' ? drawn : ((await recordKey()) ?? drawn);
  };
  return {
    look,
    fetch,
    keep: async (site, contents, before) => {
      const bytes = await tarOf(contents.files);
      for (let expected = before; ;) {
        if ((await store.write(nameOf(site), bytes, expected)) === 'written') return 'kept';
        const there = await look(site);
        if (there !== undefined) return isSameRecord(there.record, contents.record) ? 'kept' : there;
        expected = 'nothing';
      }
    },
    recordKey,
    ensuredRecordKey: async (runs) => {
      const key = (await recordKey()) ?? (await firstKey());
      if (runs === 'beside' && (await putKey(key)) !== 'taken')
        throw new StoreFault('refused', unconditional);
      return key;
    },
  };
}

/** Whether two records are of the same site and the same run. Each run encrypts the state again, so its hash is unique. */
export function isSameRecord(one: SiteRecord, other: SiteRecord): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function contentsOf(site: string, { bytes }: StoredObject): Promise<SiteContents> {
  const files = (await filesOfTar(bytes)) ?? [];
  const [first] = files;
  const record = first?.path === recordName ? parseSiteRecord(first.contents) : undefined;
  const isSound =
    record !== undefined && files.every(({ path }) => isInsidePath(path)) && filesMatchRecord(record, files);
  if (!isSound) throw damaged(`the archive of ${site} does not match its record`);
  return { record, files };
}

function damaged(message: string): StoreFault {
  return new StoreFault('damaged', message);
}
