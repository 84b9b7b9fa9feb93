import { spawnSync } from 'node:child_process';
import { isAbsolute, posix, relative } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { systemErrorCode } from '../file-system-problem.js';

/** A folder as it was in a revision of the Git repository it lies in. Nothing is checked out. */
export interface GitRevision {
  /** Every file below the folder, relative to it, sorted. */
  readonly paths: readonly string[];
  /**
   * What is at a path, relative to the folder or absolute: undefined where the revision has nothing there, and `outside` for what
   * lies outside of the repository. Links within the repository are followed.
   */
  readonly read: (path: string) => Buffer | 'outside' | undefined;
  /** Several files of the folder, read at once. */
  readonly readAll: (paths: readonly string[]) => ReadonlyMap<string, Buffer>;
  /** Names in a folder, as `Inputs.list` gives them. */
  readonly list: (folder: string) => readonly string[] | undefined;
}

/** A folder of the disk in a revision, by any name that Git knows it by. Problems: review/revision. */
export function openRevision(folder: string, revision: string): Result<GitRevision> {
  const git = (args: readonly string[], input = ''): GitAnswer => runGit(folder, args, input);
  // Git would read it as an option.
  if (revision.startsWith('-')) return refused('it is the name of an option');
  const place = git(['rev-parse', '--show-toplevel', '--show-prefix']);
  if (place.fault !== undefined) return refused(place.fault);
  const commit = git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
  if (commit.fault !== undefined) return refused('the repository has no such revision');
  const listed = git(['ls-tree', '-r', '-z', '--full-tree', commit.out.toString('utf8').trim()]);
  if (listed.fault !== undefined) return refused(listed.fault);
  const [top = '', prefix = ''] = place.out.toString('utf8').split('\n');
  const blobs = blobsOf(git, listed.out.toString('utf8'));
  return success(revisionOf({ top, prefix, blobs }));
}

function refused(reason: string): Result<never> {
  const hint =
    'name a branch, tag or commit of the repository that the directory is in: `git log` lists them';
  return failure(problem('review/revision', `--against cannot be read by git: ${reason}`, { hint }));
}

interface GitAnswer {
  readonly out: Buffer;
  /** Why there is no answer. */
  readonly fault?: string;
}

function runGit(folder: string, args: readonly string[], input: string): GitAnswer {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', folder, ...args], {
    input,
    maxBuffer: 1024 ** 3,
    env: { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
  });
  if (error !== undefined)
    return {
      out: Buffer.alloc(0),
      fault: `git cannot be started (${systemErrorCode(error) ?? error.message})`,
    };
  if (status === 0) return { out: stdout };
  const [said = ''] = stderr.toString('utf8').split('\n');
  return { out: Buffer.alloc(0), fault: said.replace(/^fatal: /, '') || 'git gives no reason' };
}

interface Blobs {
  /** Every file of the revision by its path from the top of the repository, with the id of its bytes. */
  readonly ids: ReadonlyMap<string, { readonly id: string; readonly isLink: boolean }>;
  readonly read: (ids: readonly string[]) => ReadonlyMap<string, Buffer>;
}

function blobsOf(git: (args: readonly string[], input?: string) => GitAnswer, listed: string): Blobs {
  const rows = [...listed.matchAll(/(\d{6}) blob ([0-9a-f]+)\t([^\0]*)\0/g)];
  return {
    ids: new Map(rows.map(([, mode, id = '', path = '']) => [path, { id, isLink: mode === '120000' }])),
    read: (ids) => batchOf(git(['cat-file', '--batch'], ids.map((id) => `${id}\n`).join('')).out),
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

/** How many links one may lead through. Source: Linux, MAXSYMLINKS is 40; nobody means more than a few */
const mostLinks = 8;

function revisionOf({
  top,
  prefix,
  blobs,
}: {
  readonly top: string;
  readonly prefix: string;
  readonly blobs: Blobs;
}): GitRevision {
  const fromTop = (path: string): string =>
    isAbsolute(path) ? relative(top, path) : posix.normalize(posix.join(prefix, path));
  const readAt = (path: string, links: number): Buffer | undefined => {
    const blob = blobs.ids.get(path);
    const bytes = blob && blobs.read([blob.id]).get(blob.id);
    if (blob === undefined || bytes === undefined || !blob.isLink) return bytes;
    const target = posix.normalize(posix.join(posix.dirname(path), bytes.toString('utf8')));
    return links === 0 ? undefined : readAt(target, links - 1);
  };
  const below = [...blobs.ids.keys()].filter((path) => path.startsWith(prefix)).toSorted(byCodeUnit);
  return {
    paths: below.map((path) => path.slice(prefix.length)),
    read: (path) => {
      const place = fromTop(path);
      return place.startsWith('..') || isAbsolute(place) ? 'outside' : readAt(place, mostLinks);
    },
    readAll: (paths) => {
      const ids = paths.map((path) => [path, blobs.ids.get(`${prefix}${path}`)?.id ?? ''] as const);
      const read = blobs.read([...new Set(ids.map(([, id]) => id).filter((id) => id !== ''))]);
      return new Map(
        ids.flatMap(([path, id]) => (read.has(id) ? [[path, read.get(id) ?? Buffer.alloc(0)] as const] : [])),
      );
    },
    list: (folder) => namesIn(fromTop(folder), [...blobs.ids.keys()]),
  };
}

function namesIn(folder: string, paths: readonly string[]): readonly string[] | undefined {
  const within = folder === '.' || folder === '' ? '' : `${folder.replace(/\/$/, '')}/`;
  const names = paths
    .filter((path) => path.startsWith(within))
    .map((path) => path.slice(within.length).replace(/\/.*$/, '/'));
  return names.length === 0 ? undefined : [...new Set(names)].toSorted(byCodeUnit);
}
