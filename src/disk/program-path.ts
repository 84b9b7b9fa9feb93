import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';

/**
 * The path of a program that is named without a folder. Windows looks for it in the working directory first, which somebody else may
 * have prepared; only the folders of PATH are searched here. Elsewhere the system does the same by itself.
 * Source: libuv, src/win/process.c (search_path)
 */
export function programPath(name: string): string {
  if (process.platform !== 'win32' || /[\\/:]/.test(name)) return name;
  const folders = (process.env['PATH'] ?? '').split(';').filter((folder) => isAbsolute(folder));
  const names = [...(name.includes('.') ? [name] : []), `${name}.com`, `${name}.exe`];
  const found = folders
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .find((path) => existsSync(path));
  // A path that names no file, so that the search ends here.
  return found ?? join(folders[0] ?? 'C:\\', `${name}.exe`);
}
