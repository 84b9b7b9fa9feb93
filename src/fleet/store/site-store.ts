import { drawnRecordKey, parseRecordKey } from '../../disk/site-record/record-key.js';
import { areAsRecorded, type SiteContents } from '../../disk/site-record/site-contents.js';
import { parseSiteRecord, recordName, type SiteRecord } from '../../disk/site-record/site-record.js';
import { filesOfTar, firstFileOfTar, tarOf } from '../../formats/tar/tar-archive.js';
import { isInsidePath } from '../../disk/inside-path.js';
import type { ObjectStore, Precondition, StoredObject } from '../../remote/object-store/object-store.js';
import { StoreFault } from '../../remote/object-store/store-fault.js';

/** What is told of a site in the store without reading all of it. */
export interface StoredRecord {
  readonly record: SiteRecord;
  readonly tag: string;
}

/** Sites in a store, each an archive of its own: it is there whole or not at all. Every call throws StoreFault. */
export interface SiteStore {
  /** The record of a site; undefined where the store does not have it. */
  readonly look: (site: string) => Promise<StoredRecord | undefined>;
  /** All of a site, every file as its record has it. */
  readonly fetch: (site: string) => Promise<(SiteContents & { readonly tag: string }) | undefined>;
  /** Keeps a site in the place of what was there before. Where something else is there by now, that stays, and is given back. */
  readonly keep: (
    site: string,
    contents: SiteContents,
    before: Precondition,
  ) => Promise<'kept' | StoredRecord>;
  /** The key of the hashes in records, hex; undefined where no run was there yet. */
  readonly recordKey: () => Promise<string | undefined>;
  /** The same, drawn by the first of all runs. Where runs stand `beside` others, a store that writes over what is there is refused. */
  readonly ensuredRecordKey: (runs: 'alone' | 'beside') => Promise<string>;
}

/** Records are some kilobytes; one with many warnings has more, and is read with its site. */
const headBytes = 64 * 1024;

/** The name of the key below the prefix. */
const keyName = 'fleet-key';

/** Two runs that begin together would have two keys, and of two that make one site the last would keep it. */
const unconditional =
  'it knows no conditional writes (If-None-Match), without which shards write over each other: make the fleet without --shard';

/** Sites below the prefix of a store: `sites/NAME.tar`. */
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
    if (object !== undefined && key === undefined) throw damaged('its key of records is none');
    return key;
  };
  const putKey = (key: string): Promise<'written' | 'taken'> =>
    store.write(keyName, Buffer.from(`${key}\n`), 'nothing');
  const firstKey = async (): Promise<string> => {
    const drawn = drawnRecordKey();
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
        if (there !== undefined) return isSame(there.record, contents.record) ? 'kept' : there;
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

/** Whether two records are of the same site, made at once: a state is encrypted anew each time it is written. */
export function isSame(one: SiteRecord, other: SiteRecord): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function contentsOf(site: string, { bytes }: StoredObject): Promise<SiteContents> {
  const files = (await filesOfTar(bytes)) ?? [];
  const [first] = files;
  const record = first?.path === recordName ? parseSiteRecord(first.contents) : undefined;
  const isSound =
    record !== undefined && files.every(({ path }) => isInsidePath(path)) && areAsRecorded(record, files);
  if (!isSound) throw damaged(`what it has of ${site} is not what a run put there`);
  return { record, files };
}

function damaged(message: string): StoreFault {
  return new StoreFault('damaged', message);
}
