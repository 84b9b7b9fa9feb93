import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { nodeFilesList } from '../manifests/enrich/node-files-list.js';
import type { AssetFolder, FolderRead } from '../manifests/enrich/asset-folder.js';
import { byCodeUnit } from '../core/compare.js';
import { problem } from '../core/problem.js';
import { maskedArgument } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf } from './system-error.js';
import { readInput } from './read-inputs.js';

/** Node reads at most 2 GiB - 1 in one call. Source: Node fs.readFile, ERR_FS_FILE_TOO_LARGE */
const maxFileBytes = 2 ** 31 - 1;

/** Folder of each part: the names in node-files.list, or the paths on the live system (host_path in sno-master-ignition.sh). */
const layouts: readonly Readonly<Record<string, string>>[] = [
  { openshift: 'openshift', kubernetes: 'kubernetes', bin: 'bin' },
  { openshift: 'opt/openshift', kubernetes: 'etc/kubernetes', bin: 'usr/local/bin' },
];

/** Opens the assets below `dir`, in either of the two layouts. Problems: enrich/asset-dir. */
export function openAssetFolder(dir: string): Result<AssetFolder> {
  const folder = layouts
    .map((layout) => assetFolder(dir, layout))
    .find(({ read }) => read(nodeFilesList).kind !== 'absent');
  if (folder !== undefined) return success(folder);
  const [asset, live] = layouts
    .map((layout) => assetFolder(dir, layout).pathOf(nodeFilesList))
    .map(maskedArgument);
  const message = `neither ${asset} nor ${live} exists`;
  const hint =
    'name the root of the live system, or a folder that contains its openshift, kubernetes and bin folders';
  return failure(problem('enrich/asset-dir', message, { hint }));
}

function assetFolder(dir: string, layout: Readonly<Record<string, string>>): AssetFolder {
  const pathOf = (source: string): string => {
    const [first = '', ...rest] = source.split('/');
    return join(dir, layout[first] ?? first, ...rest).replace(/\/$/, '');
  };
  return {
    pathOf,
    read: (source) => readInput(pathOf(source), maxFileBytes),
    list: (folder) => listFiles(pathOf(folder)),
  };
}

function listFiles(path: string): FolderRead {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'absent' };
    if (!stats.isDirectory()) return { kind: 'unreadable', reason: 'it is a file, not a folder' };
    return { kind: 'folder', names: filesBelow(path, []).toSorted(byCodeUnit) };
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) };
  }
}

/** Follows links as `find -L` does. A link back to one of its parent folders is skipped. */
function filesBelow(path: string, around: readonly string[]): readonly string[] {
  const here = realpathSync(path);
  if (around.includes(here)) return [];
  return readdirSync(path).flatMap((name) => {
    const stats = statSync(join(path, name), { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) {
      return filesBelow(join(path, name), [...around, here]).map((below) => `${name}/${below}`);
    }
    return stats?.isFile() === true ? [name] : [];
  });
}
