import type { SiteContents } from '../../disk/site-record/site-contents.js';
import type { SiteRecord } from '../../disk/site-record/site-record.js';
import type { ObjectStore, Precondition } from '../../remote/object-store/object-store.js';
import { archiveOf, contentsOfArchive, recordOfArchive } from './site-archive.js';

/** Record of a stored site, read without the rest of the archive. */
export interface StoredRecord {
  readonly record: SiteRecord;
  readonly tag: string;
}

/** Sites in an object store. Each site is one archive, so it is complete or absent. All calls throw StoreFault. */
export interface SiteStore {
  /** Returns the ETag of a site, from a request for one byte; undefined if the store does not contain the site. */
  readonly tagOf: (site: string) => Promise<string | undefined>;
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
}

/** The sealed part usually has about ten kilobytes. If it is larger, the whole archive is read. */
const headBytes = 64 * 1024;

/** Stores sites below the prefix of a store as `sites/NAME.tar`, sealed with the fleet key (hex). */
export function siteStore(store: ObjectStore, fleetKey: string): SiteStore {
  const nameOf = (site: string): string => `sites/${site}.tar`;
  const fetch: SiteStore['fetch'] = async (site) => {
    const object = await store.read(nameOf(site));
    return object && { ...(await contentsOfArchive(object.bytes, { fleetKey, site })), tag: object.tag };
  };
  const look: SiteStore['look'] = async (site) => {
    const object = await store.read(nameOf(site), headBytes);
    if (object === undefined) return undefined;
    const record = await recordOfArchive(object.bytes, { fleetKey, site });
    return record === undefined ? fetch(site) : { record, tag: object.tag };
  };
  return {
    tagOf: async (site) => (await store.read(nameOf(site), 1))?.tag,
    look,
    fetch,
    keep: async (site, contents, before) => {
      const bytes = await archiveOf(contents, { fleetKey, site });
      for (let expected = before; ;) {
        if ((await store.write(nameOf(site), bytes, expected)) === 'written') return 'kept';
        const there = await look(site);
        if (there !== undefined) return isSameRecord(there.record, contents.record) ? 'kept' : there;
        expected = 'nothing';
      }
    },
  };
}

/** Whether two records are of the same site and the same run. Each run encrypts the state again, so its hash is unique. */
export function isSameRecord(one: SiteRecord, other: SiteRecord): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
