import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { syncFolder, writeDurably } from '../durable.js';
import { systemErrorCode } from '../file-system-problem.js';
import { readRegularFile } from '../regular-file.js';
import { members, text } from '../state/state-shape.js';
import { namesIn } from './kit-files.js';
import type { PoolFolder } from './pool-folder.js';
import { draftFolder, publishFolder } from './sole-folder.js';

/** Whose a kit is: this site's, this site's whose keys were used and erased, or another's. */
export type Holder = 'ours' | 'erased' | 'others';

/**
 * Notes for good which site has a kit, unless there is a note: the first one holds, whatever copies of the kit turn up. Throws system
 * errors.
 */
export function holderOf(pool: PoolFolder, id: string, site: string): Holder {
  const note = join(pool.given, id);
  if (!existsSync(note))
    publishFolder(draftFolder(pool.notes, noteName, `${JSON.stringify({ site })}\n`), note);
  if (siteOf(pool, id) !== site) return 'others';
  return existsSync(join(note, erasedName)) ? 'erased' : 'ours';
}

/** Notes that the keys of a kit are used, and kept elsewhere. Throws system errors. */
export function noteErased(pool: PoolFolder, id: string): void {
  const note = join(pool.given, id);
  if (!existsSync(note) || existsSync(join(note, erasedName))) return;
  try {
    writeDurably(join(note, erasedName), '', 0o600);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
  syncFolder(note);
}

/** Which site each kit was given to, by the kit; an empty name where a note cannot be read. */
export function givenKits(pool: PoolFolder): ReadonlyMap<string, string> {
  return new Map(namesIn(pool.given).map((id) => [id, siteOf(pool, id) ?? '']));
}

function siteOf(pool: PoolFolder, id: string): string | undefined {
  const read = readRegularFile(join(pool.given, id, noteName), 64 * 1024);
  if (read.kind !== 'file') return undefined;
  try {
    const value: unknown = JSON.parse(read.bytes.toString('utf8'));
    return isNote(value) ? value.site : undefined;
  } catch {
    return undefined;
  }
}

const noteName = 'given.json';
const erasedName = 'erased';
const noteShape = members({ site: text() });

function isNote(value: unknown): value is { readonly site: string } {
  return noteShape(value, '') === undefined;
}
