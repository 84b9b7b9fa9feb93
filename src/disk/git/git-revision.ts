import { spawnSync } from 'node:child_process';
import { isAbsolute, posix, relative } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { problem } from '../../core/problem.js';
import { type Result, failure, success } from '../../core/result.js';
import { systemErrorCode } from '../file-system-problem.js';
import { programPath } from '../program-path.js';

/** A folder as it was in a revision of the Git repository it lies in. Nothing is checked out. */
export interface GitRevision {
  /** The id of its commit: a name such as `main` may mean another one a moment later. */
  readonly commit: string;
  /** Every file below the folder, relative to it, sorted. */
  readonly paths: readonly string[];
  /**
   * The file at a path, relative to the folder or absolute: undefined where the revision has none, `outside` for a path outside the
   * repository, and `not-fetched` for a file that a partial clone has not fetched. Links within the repository are followed.
   */
  readonly read: (path: string) => RevisionRead;
  /** Several files of the folder, read at once. */
  readonly readAll: (paths: readonly string[]) => ReadonlyMap<string, Buffer>;
  /** Names in a folder, as `Inputs.list` gives them. */
  readonly list: (folder: string) => readonly string[] | undefined;
}

export type RevisionRead = Buffer | 'outside' | 'not-fetched' | undefined;

/** A folder of the disk in a revision, by any name that Git knows it by. Problems: review/revision. */
export function openRevision(folder: string, revision: string): Result<GitRevision> {
  const git = (args: readonly string[], input = ''): GitAnswer => runGit(folder, args, input);
  // Git would read it as an option.
  if (revision.startsWith('-')) return refused('it is the name of an option');
  const place = git(['rev-parse', '--show-toplevel', '--show-prefix']);
  if (place.fault !== undefined) return refused(place.fault);
  const commit = git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
  if (commit.fault !== undefined) return refused('the repository has no such revision');
  const id = commit.out.toString('utf8').trim();
  const listed = git(['ls-tree', '-r', '-z', '--full-tree', id]);
  if (listed.fault !== undefined) return refused(listed.fault);
  const [top = '', prefix = ''] = place.out.toString('utf8').split('\n');
  const files = gitBlobs(listed.out.toString('utf8'), (args, input) => git(args, input).out);
  return success(revisionOf({ commit: id, top, prefix, files }));
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
  const { status, stdout, stderr, error } = spawnSync(
    programPath('git'),
    ['-C', folder, ...runsNoProgram, ...args],
    {
      input,
      maxBuffer: 1024 ** 3,
      env: gitEnvironment(process.env),
    },
  );
  if (error !== undefined)
    return {
      out: Buffer.alloc(0),
      fault: `git cannot be started (${systemErrorCode(error) ?? error.message})`,
    };
  if (status === 0) return { out: stdout };
  const lines = stderr.toString('utf8').split('\n');
  const said = lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '';
  return { out: Buffer.alloc(0), fault: said.replace(/^fatal: /, '') || 'git gives no reason' };
}

/**
 * Somebody else may have prepared the repository, so nothing in its configuration may run a program. Of the commands used here, only a
 * pager, the file system monitor and a fetch of missing objects could. `safe.bareRepository` ignores a bare repository that is committed
 * inside of another one. Source: git(1), git-config(1)
 */
const runsNoProgram = [
  '--no-pager',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit'].flatMap((set) => [
    '-c',
    set,
  ]),
];

/**
 * Variables that git needs to start and to find the caller's own configuration: no secret of the caller is passed on. A partial clone
 * fetches nothing: GIT_NO_LAZY_FETCH is known since 2.39.4 and 2.45, and GIT_ALLOW_PROTOCOL keeps older versions from starting a
 * transport. Source: git(1), ENVIRONMENT VARIABLES
 */
function gitEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const needed =
    /^(?:PATH|PATHEXT|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|PROGRAMDATA|PROGRAMFILES.*|SYSTEMROOT|WINDIR|SYSTEMDRIVE|COMSPEC|TEMP|TMP|TMPDIR|XDG_CONFIG_HOME|SUDO_UID|LD_LIBRARY_PATH|DYLD_.*|DEVELOPER_DIR|GIT_.*)$/i;
  return {
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => needed.test(name))),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PAGER_IN_USE: '0',
  };
}

/** How many links one may lead through. Source: Linux, MAXSYMLINKS is 40; nobody means more than a few */
const mostLinks = 8;

function revisionOf({
  commit,
  top,
  prefix,
  files,
}: {
  readonly commit: string;
  readonly top: string;
  readonly prefix: string;
  readonly files: GitBlobs;
}): GitRevision {
  const fromTop = (path: string): string =>
    isAbsolute(path) ? relative(top, path) : posix.normalize(posix.join(prefix, path));
  const isLink = (path: string): boolean => files.blobs.get(path)?.isLink === true;
  const missing = (path: string): RevisionRead => (files.blobs.has(path) ? 'not-fetched' : undefined);
  let targets: ReadonlyMap<string, Buffer> | undefined;
  /** All links are read at once: each file of a linked folder needs them. */
  const targetOf = (link: string): string | undefined => {
    targets ??= files.readAll([...files.blobs].flatMap(([path, { isLink }]) => (isLink ? [path] : [])));
    return targets.get(link)?.toString('utf8');
  };
  /** The path that one leads to; undefined beyond the limit of links. Links to folders are followed as links to files are. */
  const resolved = (path: string, links = mostLinks): string | undefined => {
    const link = folderPrefixes(path).find(isLink);
    if (link === undefined) return path;
    const target = targetOf(link);
    if (links === 0 || target === undefined) return undefined;
    const from = isAbsolute(target) ? relative(top, target) : posix.join(posix.dirname(link), target);
    return resolved(posix.join(from, path.slice(link.length)), links - 1);
  };
  const all = [...files.blobs.keys()].toSorted(byCodeUnit);
  const below = all.filter((path) => path.startsWith(prefix));
  const folders = namesByFolder(all);
  return {
    commit,
    paths: below.map((path) => path.slice(prefix.length)),
    read: (path) => {
      const place = fromTop(path);
      if (leadsOut(place)) return 'outside';
      const target = resolved(place);
      if (target !== undefined) return files.read(target) ?? missing(target);
      return folderPrefixes(place).some((each) => isLink(each) && targetOf(each) === undefined)
        ? 'not-fetched'
        : undefined;
    },
    readAll: (paths) => {
      const read = files.readAll(paths.map((path) => `${prefix}${path}`));
      return new Map([...read].map(([path, bytes]) => [path.slice(prefix.length), bytes]));
    },
    list: (folder) => folders.get(posix.join(resolved(fromTop(folder)) ?? '..', '.')),
  };
}

/** `a/b/c` gives `a`, `a/b` and `a/b/c`. */
function folderPrefixes(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Whether a path from the top of the repository is none in it; on Windows, one of another disk is absolute. */
function leadsOut(place: string): boolean {
  return /^\.\.(?:[/\\]|$)/.test(place) || isAbsolute(place);
}

/** What each folder has in it, sorted: folders end with a slash. */
function namesByFolder(sorted: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, Set<string>>();
  for (const path of sorted) {
    let name = posix.basename(path);
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      const known = names.get(folder);
      if (known?.has(name) === true) break;
      names.set(folder, (known ?? new Set()).add(name));
      if (folder === '.') break;
      name = `${posix.basename(folder)}/`;
    }
  }
  return new Map([...names].map(([folder, found]) => [folder, [...found].toSorted(byCodeUnit)]));
}

/** A file of a revision. */
interface GitBlob {
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

/** Few enough that their bytes are no burden. */
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
