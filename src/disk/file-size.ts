import { statSync } from 'node:fs';

/** The size of a file in bytes; undefined when there is no file to be seen. */
export function fileSize(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}

/** A text that is another one once what stands at a path was written, replaced, or, of a folder, got or lost an entry. */
export function markOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? '' : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
