import { copyFileSync, linkSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** Places a file of this machine at another path, without copying its bytes if the file system allows that. */
export function placeFile(source: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = realpathSync(source);
  try {
    linkSync(file, path);
  } catch {
    copyFileSync(file, path);
  }
}
