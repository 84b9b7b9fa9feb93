import { statSync, type BigIntStats } from 'node:fs';

import { systemErrorCode } from './file-system-problem.js';

/** The size of a file in bytes; undefined when there is no file to be seen. */
export function fileSize(path: string): number | undefined {
  const found = seen(() => statSync(path, { throwIfNoEntry: false }));
  return found?.isFile() === true ? found.size : undefined;
}

/**
 * A text that is another one once what stands at a path was written, replaced, or, of a folder, got or lost an entry; empty when there is
 * nothing to be seen.
 */
export function markOf(path: string): string {
  const found = exactStats(path);
  return found === undefined ? '' : markIn(found);
}

/** The same of a file; undefined when there is no file to be seen. */
export function markOfFile(path: string): string | undefined {
  const found = exactStats(path);
  return found?.isFile() === true ? markIn(found) : undefined;
}

function exactStats(path: string): BigIntStats | undefined {
  return seen(() => statSync(path, { throwIfNoEntry: false, bigint: true }));
}

function markIn({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** What is behind a folder that may not be entered, or a link that leads to itself, is not to be seen either. */
function seen<Stats>(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
