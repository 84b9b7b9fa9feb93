import { statSync } from 'node:fs';

/** The size of a file in bytes; undefined when there is no file to be seen. */
export function fileSize(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}
