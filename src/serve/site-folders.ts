import { basename, join, resolve } from 'node:path';

import { success, type Result } from '../core/result.js';
import { markOfFile } from '../disk/file-size.js';
import { unreadableFile } from '../disk/named-file.js';
import { inputsOf } from '../disk/read-inputs.js';
import { sealedName } from '../disk/state/sealed-outputs.js';

/** A folder with the outputs of one site. */
export interface SiteFolder {
  /** What the folder is called. */
  readonly name: string;
  readonly dir: string;
}

/** The config that the live system of a site starts with. */
export const liveConfigName = 'bootstrap-in-place-for-live-iso.ign';

/**
 * The sites at a path: itself, where it holds the config of one, else each folder in it, in order of name; hidden ones are left
 * out. Whether those hold a config is seen when one is asked for. Problems: usage/unreadable-file.
 */
export function siteFoldersAt(path: string): Result<readonly SiteFolder[]> {
  if (configIn(path) !== undefined) return success([{ name: basename(resolve(path)), dir: path }]);
  const entries = inputsOf(path, {}).list('.');
  if (entries === undefined) return unreadableFile('the folder', path, 'it is none, or permission is denied');
  const names = entries.filter((name) => name.endsWith('/') && !name.startsWith('.'));
  return success(names.map((name) => ({ name: name.slice(0, -1), dir: join(path, name.slice(0, -1)) })));
}

/** A config as it lies on the disk. */
export interface ConfigPlace {
  readonly path: string;
  /** Another one once the file was written or replaced. */
  readonly mark: string;
}

/** The config in a site's folder, as plain text or encrypted; undefined where there is none. */
export function configIn(dir: string): ConfigPlace | undefined {
  for (const name of [liveConfigName, sealedName(liveConfigName)]) {
    const path = join(dir, name);
    const mark = markOfFile(path);
    if (mark !== undefined) return { path, mark };
  }
  return undefined;
}
