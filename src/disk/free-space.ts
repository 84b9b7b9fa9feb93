import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { problem, type Problem } from '../core/problem.js';

/** Free bytes in the folder of a file; undefined if unknown. */
function freeBytesAt(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(path)));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/**
 * A file for which its file system has no space, if the free space is known. `purpose` follows the size in the message. Problems:
 * dir/not-writable.
 */
export function spaceFault(
  path: string,
  needed: number,
  { purpose = '', hint }: { readonly purpose?: string; readonly hint: string },
): Problem | undefined {
  const free = freeBytesAt(path);
  if (free === undefined || free >= needed) return undefined;
  const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`;
  const message = `${path} needs ${mebibytes(needed)}${purpose}, but its file system has only ${mebibytes(free)} free`;
  return problem('dir/not-writable', message, { hint });
}
