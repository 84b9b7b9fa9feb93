import { copyFileSync, linkSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** Puts a file of this machine elsewhere, without a copy of its bytes where the file system allows. */
export function placeFile(source: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = realpathSync(source);
  try {
    linkSync(file, path);
  } catch {
    copyFileSync(file, path);
  }
}
