import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';

/**
 * Resolves the path of a program that is named without a folder. Windows searches the working directory first, which may be untrusted,
 * so only the folders of PATH are searched here. Other platforms do that by themselves.
 * Source: libuv, src/win/process.c (search_path)
 */
export function programPath(name: string): string {
  if (process.platform !== 'win32' || /[\\/:]/.test(name)) return name;
  const folders = (process.env['PATH'] ?? '').split(';').filter((folder) => isAbsolute(folder));
  const names = [...(name.includes('.') ? [name] : []), `${name}.com`, `${name}.exe`];
  const found = folders
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .find((path) => existsSync(path));
  // A path that does not exist, so that Windows does not search further.
  return found ?? join(folders[0] ?? 'C:\\', `${name}.exe`);
}
