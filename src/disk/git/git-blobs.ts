import { posix } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';

/** A file of a revision. */
export interface GitBlob {
  /** Of its bytes, for Git. */
  readonly id: string;
  readonly isLink: boolean;
}

/** Every file of a revision by its path from the top of the repository, and their bytes. */
export interface GitBlobs {
  readonly blobs: ReadonlyMap<string, GitBlob>;
  /** Undefined where the revision has no file there, or Git not its bytes. */
  readonly read: (path: string) => Buffer | undefined;
  /** By the path of each that was found. */
  readonly readAll: (paths: readonly string[]) => ReadonlyMap<string, Buffer>;
}

/** What asks Git: its arguments and its input give its output, empty where it fails. */
export type AskGit = (args: readonly string[], input: string) => Buffer;

/**
 * The files that `git ls-tree -r -z` has listed. Who reads one reads the next soon, as the files of one site after another are: since git takes as long to
 * start as it takes for hundreds of them, those that follow are read at once, and held until one is read that is not among them.
 */
export function gitBlobs(listed: string, ask: AskGit): GitBlobs {
  const rows = [...listed.matchAll(/(\d{6}) blob ([0-9a-f]+)\t([^\0]*)\0/g)];
  const blobs = new Map(
    rows.map(([, mode, id = '', path = '']) => [path, { id, isLink: mode === '120000' }] as const),
  );
  const idsOf = (paths: readonly string[]): ReadonlySet<string> =>
    new Set(paths.flatMap((path) => blobs.get(path)?.id ?? []));
  const batch = (ids: ReadonlySet<string>): ReadonlyMap<string, Buffer> =>
    ids.size === 0 ? new Map() : batchOf(ask(['cat-file', '--batch'], [...ids].join('\n').concat('\n')));
  const following = followingIn([...blobs.keys()].toSorted(byCodeUnit));
  let held: ReadonlyMap<string, Buffer> = new Map();
  return {
    blobs,
    read: (path) => {
      const id = blobs.get(path)?.id;
      if (id === undefined) return undefined;
      if (!held.has(id)) held = batch(idsOf(following(path)));
      return held.get(id);
    },
    readAll: (paths) => {
      const read = batch(idsOf(paths));
      return new Map(
        paths.flatMap((path) => {
          const bytes = read.get(blobs.get(path)?.id ?? '');
          return bytes === undefined ? [] : [[path, bytes] as const];
        }),
      );
    },
  };
}

/** Few enough that their bytes are no burden, and that a clone that fetches what it lacks does not fetch much in vain. */
const mostAtOnce = 512;

/** Of sorted paths, one and those behind it that are of its kind: what is read in turn are configs, and images lie beside them at times. */
function followingIn(sorted: readonly string[]): (path: string) => readonly string[] {
  const places = new Map(sorted.map((path, index) => [path, index]));
  return (path) => {
    const from = places.get(path) ?? sorted.length;
    const next = sorted.slice(from, from + mostAtOnce);
    return next.filter((each) => posix.extname(each) === posix.extname(path));
  };
}

/** Each answer is a line `ID blob SIZE`, the bytes, and a line end. Source: git-cat-file(1), BATCH OUTPUT */
function batchOf(out: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < out.length;) {
    const end = out.indexOf('\n', at);
    const [id = '', , size = ''] = out.subarray(at, end).toString('latin1').split(' ');
    // A line without a size tells of an object that a partial clone lacks.
    const bytes = /^\d+$/.test(size) ? Number(size) : 0;
    if (bytes > 0 || size === '0') found.set(id, out.subarray(end + 1, end + 1 + bytes));
    at = size === '' || !/^\d+$/.test(size) ? end + 1 : end + 1 + bytes + 1;
  }
  return found;
}
