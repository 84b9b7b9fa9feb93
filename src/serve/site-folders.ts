import { basename, join, resolve } from 'node:path';

import { success, type Result } from '../core/result.js';
import { fileFingerprint } from '../disk/file-size.js';
import { unreadableFile } from '../disk/named-file.js';
import { cachedInputs } from '../disk/read-inputs.js';
import { sealedName } from '../disk/state/sealed-outputs.js';

/** A folder with the outputs of one site. */
export interface SiteFolder {
  /** The base name of the folder. */
  readonly name: string;
  readonly dir: string;
}

/** The Ignition config of the live system. */
export const liveConfigName = 'bootstrap-in-place-for-live-iso.ign';

/**
 * Returns the sites at a path: the folder itself if it contains a live config, otherwise its subfolders in order of name, without
 * hidden ones. Subfolders are not checked for a config here. Problems: usage/unreadable-file.
 */
export function siteFoldersAt(path: string): Result<readonly SiteFolder[]> {
  if (findConfig(path) !== undefined) return success([{ name: basename(resolve(path)), dir: path }]);
  const entries = cachedInputs(path, {}).list('.');
  if (entries === undefined)
    return unreadableFile(
      'the folder',
      path,
      'it is not a folder, or permission is denied',
      'name a folder that this user can read',
    );
  const names = entries.filter((name) => name.endsWith('/') && !name.startsWith('.'));
  return success(names.map((name) => ({ name: name.slice(0, -1), dir: join(path, name.slice(0, -1)) })));
}

export interface LiveConfigFile {
  readonly path: string;
  /** Changes when the file is written or replaced. */
  readonly mark: string;
}

/** Finds the plain or encrypted config in a site's folder. */
export function findConfig(dir: string): LiveConfigFile | undefined {
  for (const name of [liveConfigName, sealedName(liveConfigName)]) {
    const path = join(dir, name);
    const mark = fileFingerprint(path);
    if (mark !== undefined) return { path, mark };
  }
  return undefined;
}
