import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { sha256 } from '../../../src/formats/sha256.js';

/**
 * Every folder, file and link below a root, by path: type, mode, owner and hash of the contents. Ignition's report of its run is left
 * out. The lines of its preset are sorted, because their order is random.
 */
export function laidTree(root: string): Readonly<Record<string, string>> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    paths
      .filter((path) => path !== 'etc/.ignition-result.json')
      .map((path) => [`/${path}`, entry(root, path)]),
  );
}

function entry(root: string, path: string): string {
  const stats = lstatSync(join(root, path));
  const owner = `${(stats.mode & 0o7777).toString(8)} ${stats.uid}:${stats.gid}`;
  if (stats.isDirectory()) return `folder ${owner}`;
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(join(root, path))}`;
  const bytes = readFileSync(join(root, path));
  if (path.endsWith('.preset')) return `preset ${owner} ${bytes.toString().split('\n').toSorted().join(' ')}`;
  return `file ${owner} ${bytes.length} ${sha256(bytes)}`;
}
