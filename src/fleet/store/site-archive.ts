import { isInsidePath } from '../../disk/inside-path.js';
import {
  filesMatchRecord,
  type SiteContent,
  type SiteContents,
} from '../../disk/site-record/site-contents.js';
import { parseSiteRecord, recordName, type SiteRecord } from '../../disk/site-record/site-record.js';
import { isSealedName } from '../../disk/state/sealed-outputs.js';
import { stateFileName } from '../../disk/state/state-file.js';
import { isAge } from '../../formats/age.js';
import { filesOfTar, firstFileOfTar, tarOf } from '../../formats/tar/tar-archive.js';
import { StoreFault } from '../../remote/object-store/store-fault.js';
import { openBytes, sealBytes, type SiteSeal } from './sealed-bytes.js';

/** First file of an archive: the record and all files that are not encrypted themselves, sealed with the fleet key. */
const sealedName = '.sno-install-site.sealed';

/** Archives a site. Nothing but the names of encrypted files is readable in it. */
export async function archiveOf({ files }: SiteContents, seal: SiteSeal): Promise<Buffer> {
  const encrypted = files.filter(isEncrypted);
  const readable = files.filter((file) => !isEncrypted(file));
  const contents = sealBytes(await tarOf(readable), seal);
  return tarOf([{ path: sealedName, mode: 0o600, contents }, ...encrypted]);
}

function isEncrypted({ path, contents }: SiteContent): boolean {
  return (path === stateFileName || isSealedName(path)) && isAge(contents);
}

/** Reads the record from the beginning of an archive; undefined if its end is not in there. Throws StoreFault. */
export async function recordOfArchive(head: Uint8Array, seal: SiteSeal): Promise<SiteRecord | undefined> {
  const first = firstFileOfTar(head);
  return first === undefined ? undefined : (await openedPart(first, seal)).record;
}

/** Reads a whole archive and checks every file against the record. Throws StoreFault. */
export async function contentsOfArchive(bytes: Uint8Array, seal: SiteSeal): Promise<SiteContents> {
  const [first, ...encrypted] = (await filesOfTar(bytes)) ?? [];
  if (first === undefined) throw damaged(seal);
  const { record, files: readable } = await openedPart(first, seal);
  const files = [...readable, ...encrypted];
  const isSound =
    files.every(({ path }) => isInsidePath(path)) &&
    filesMatchRecord(record, files) &&
    // Padding and header fields that no file uses.
    (await tarOf([first, ...encrypted])).equals(bytes);
  if (!isSound) throw damaged(seal);
  return { record, files };
}

async function openedPart(
  { path, contents }: Pick<SiteContent, 'path' | 'contents'>,
  seal: SiteSeal,
): Promise<SiteContents> {
  if (path !== sealedName) throw damaged(seal);
  const opened = openBytes(contents, seal);
  if ('fault' in opened) {
    if (opened.fault === 'damaged') throw damaged(seal);
    throw new StoreFault('key', `the archive of ${seal.site} is sealed with another key`);
  }
  const files = (await filesOfTar(opened.bytes)) ?? [];
  const [first] = files;
  const record = first?.path === recordName ? parseSiteRecord(first.contents) : undefined;
  if (record === undefined) throw damaged(seal);
  return { record, files };
}

function damaged({ site }: SiteSeal): StoreFault {
  return new StoreFault('damaged', `the archive of ${site} was changed, cut off, or belongs to another site`);
}
