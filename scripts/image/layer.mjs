// A layer of the image: a tar archive that does not depend on the machine or the time.
import { packTar } from 'modern-tar';

/** The user that runs the program; unused on other systems. */
export const user = { name: 'sno-install', id: 65532, home: '/home/sno-install' };

/**
 * A tar archive of entries and their parent folders, sorted; owned by root unless `isUsers`. An entry is a folder (`path`, `mode`),
 * a file (also `contents`) or a symbolic link (`path`, `link`).
 */
export async function layerOf(entries) {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const folders = entries.flatMap(({ path }) => foldersAbove(path));
  for (const path of folders) if (!byPath.has(path)) byPath.set(path, { path, mode: 0o755 });
  const sorted = [...byPath.values()].sort(({ path: left }, { path: right }) => (left < right ? -1 : 1));
  return Buffer.from(await packTar(sorted.map(tarEntry)));
}

function foldersAbove(path) {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function tarEntry({ path, mode = 0o777, contents, link, isUsers = false }) {
  const owner = isUsers ? user.id : 0;
  const common = { mode, uid: owner, gid: owner, uname: '', gname: '', mtime: new Date(0) };
  if (link !== undefined)
    return { header: { ...common, name: path, type: 'symlink', linkname: link, size: 0 } };
  if (contents === undefined) return { header: { ...common, name: `${path}/`, type: 'directory', size: 0 } };
  return { header: { ...common, name: path, type: 'file', size: contents.length }, body: contents };
}
