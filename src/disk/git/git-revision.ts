import { spawnSync } from 'node:child_process';
import { isAbsolute, posix, relative } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { problem } from '../../core/problem.js';
import { type Result, failure, success } from '../../core/result.js';
import { systemErrorCode } from '../system-error.js';
import { programPath } from '../program-path.js';

/** A folder in a revision of its Git repository. Nothing is checked out. */
export interface GitRevision {
  /** Commit ID. A branch such as `main` may move while the program runs. */
  readonly commit: string;
  /** Every file below the folder, relative to it, sorted. */
  readonly paths: readonly string[];
  /**
   * Reads a file by its path, relative to the folder or absolute. Undefined if the revision has no such file, `outside` for a path
   * outside the repository, `not-fetched` for a file missing from a partial clone. Follows links within the repository; other links
   * are faults, as on disk.
   */
  readonly read: (path: string) => RevisionRead;
  /** Reads several files of the folder in one call. */
  readonly readAll: (paths: readonly string[]) => ReadonlyMap<string, Buffer>;
  /** Entry names of a folder, as in `Inputs.list`. */
  readonly list: (folder: string) => readonly string[] | undefined;
}

export type RevisionRead = Buffer | 'outside' | PathFault | 'folder' | undefined;

type PathFault = 'not-fetched' | 'too-many-links' | 'link-outside';

/** Opens a folder in a revision, given by any name that Git accepts. Problems: review/revision. */
export function openRevision(folder: string, revision: string): Result<GitRevision> {
  const git = (args: readonly string[], input?: string): GitAnswer => runGit(folder, args, input);
  // Git would parse it as an option.
  if (revision.startsWith('-')) return refused('it looks like an option');
  const place = git(['rev-parse', '--show-toplevel', '--show-prefix']);
  if (place.fault !== undefined) return refused(place.fault);
  const commit = git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
  if (commit.fault !== undefined)
    return refused('the revision does not exist', hintForMissing(revision, git));
  const id = commit.out.toString('utf8').trim();
  const listed = git(['ls-tree', '-r', '-z', '--full-tree', id]);
  if (listed.fault !== undefined) return refused(listed.fault);
  const [top = '', prefix = ''] = place.out.toString('utf8').split('\n');
  const files = gitBlobs(listed.out.toString('utf8'), (args, input) => git(args, input).out);
  return success(revisionOf({ commit: id, top, prefix, files }));
}

const anyRevision = 'name a branch, tag or commit of the repository that contains the directory';

function refused(reason: string, hint = anyRevision): Result<never> {
  return failure(problem('review/revision', `git cannot read --against: ${reason}`, { hint }));
}

/** Names the branch of a remote, since a clone creates a local branch only for the one that it checks out. Source: git-clone(1) */
function hintForMissing(revision: string, git: (args: readonly string[]) => GitAnswer): string {
  const answer = (args: readonly string[]): string => git(args).out.toString('utf8').trim();
  // `HEAD~9` is a fault of the number, and `origin/HEAD~9` is the history of another branch.
  const remotes = /^(?:HEAD|@)?(?:$|[~^@])/.test(revision) ? [] : answer(['remote']).split('\n');
  const remote = remotes
    .map((each) => `${each}/${revision}`)
    .filter((each) => answer(['rev-parse', '--verify', '--quiet', `refs/remotes/${each}^{commit}`]) !== '');
  if (remote.length > 0)
    return `the branch exists only at a remote: use ${remote.map((each) => `--against ${each}`).join(' or ')}`;
  return answer(['rev-parse', '--is-shallow-repository']) === 'true'
    ? `${anyRevision}; this clone is shallow, and \`git fetch --unshallow\` fetches older commits`
    : anyRevision;
}

export interface GitAnswer {
  readonly out: Buffer;
  /** Why the command failed. */
  readonly fault?: string;
}

export function runGit(folder: string, args: readonly string[], input = ''): GitAnswer {
  const { status, stdout, stderr, error } = spawnSync(
    programPath('git'),
    ['-C', folder, ...safeOptions, ...args],
    {
      input,
      maxBuffer: 1024 ** 3,
      env: gitEnvironment(process.env),
    },
  );
  // A command that does not read its whole input may end before it is written.
  if (error !== undefined && systemErrorCode(error) !== 'EPIPE')
    return {
      out: Buffer.alloc(0),
      fault: `cannot start git (${systemErrorCode(error) ?? error.message})`,
    };
  if (status === 0) return { out: stdout };
  const lines = stderr.toString('utf8').split('\n');
  const said = lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '';
  return { out: Buffer.alloc(0), fault: said.replace(/^fatal: /, '') || 'git reported no reason' };
}

/**
 * The repository is untrusted, so its configuration must not run a program. Of the commands used here, only the pager, the file
 * system monitor and the fetch of missing objects could. `safe.bareRepository` ignores a bare repository that is committed
 * inside another one. Source: git(1), git-config(1)
 */
const safeOptions = [
  '--no-pager',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit'].flatMap((set) => [
    '-c',
    set,
  ]),
];

/**
 * Variables that git needs to start and to find the user's configuration. Secrets of the caller are not passed on. A partial clone
 * fetches nothing: GIT_NO_LAZY_FETCH exists since 2.39.4 and 2.45, and GIT_ALLOW_PROTOCOL keeps older versions from starting a
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

/** Longest chain of links to follow. Source: path_resolution(7) */
const maxLinks = 40;

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
  /** Reads all links at once, since each file of a linked folder needs them. */
  const targetOf = (link: string): string | undefined => {
    targets ??= files.readAll([...files.blobs].flatMap(([path, { isLink }]) => (isLink ? [path] : [])));
    return targets.get(link)?.toString('utf8');
  };
  /** Resolves links in a path, to files and to folders. */
  const resolved = (path: string, links = maxLinks): { readonly path: string } | PathFault => {
    if (isOutsideRepository(path)) return 'link-outside';
    const link = folderPrefixes(path).find(isLink);
    if (link === undefined) return { path };
    const target = targetOf(link);
    if (target === undefined) return 'not-fetched';
    if (links === 0) return 'too-many-links';
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
      if (isOutsideRepository(place)) return 'outside';
      const target = resolved(place);
      if (typeof target === 'string') return target;
      const found = files.read(target.path) ?? missing(target.path);
      return found ?? (folders.has(folderKey(target.path)) ? 'folder' : undefined);
    },
    readAll: (paths) => {
      const read = files.readAll(paths.map((path) => `${prefix}${path}`));
      return new Map([...read].map(([path, bytes]) => [path.slice(prefix.length), bytes]));
    },
    list: (folder) => {
      const target = resolved(fromTop(folder));
      return typeof target === 'string' ? undefined : folders.get(folderKey(target.path));
    },
  };
}

/** Links may end in a slash. */
function folderKey(path: string): string {
  return path.replace(/\/+$/, '') || '.';
}

/** `a/b/c` returns `a`, `a/b` and `a/b/c`. */
function folderPrefixes(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Whether a path relative to the repository root leads out of it. A path on another Windows drive is absolute. */
function isOutsideRepository(place: string): boolean {
  return /^\.\.(?:[/\\]|$)/.test(place) || isAbsolute(place);
}

/** Entries of each folder, sorted; names of folders end with a slash. */
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

interface GitBlob {
  /** Git object ID. */
  readonly id: string;
  readonly isLink: boolean;
}

/** Files of a revision by their path from the repository root. */
export interface GitBlobs {
  readonly blobs: ReadonlyMap<string, GitBlob>;
  /** Undefined if the revision has no such file, or its object was not fetched. */
  readonly read: (path: string) => Buffer | undefined;
  /** Contents by path, for the files that were found. */
  readonly readAll: (paths: readonly string[]) => ReadonlyMap<string, Buffer>;
}

/** Runs git with arguments and stdin; returns its stdout, empty on failure. */
export type GitRunner = (args: readonly string[], input: string) => Buffer;

/**
 * Files listed by `git ls-tree -r -z`. Starting git takes as long as reading hundreds of files, and files are usually read in order,
 * site after site. Each read therefore loads the following files too and keeps them until a file outside that batch is read.
 */
export function gitBlobs(listed: string, ask: GitRunner): GitBlobs {
  const rows = [...listed.matchAll(/(\d{6}) blob ([0-9a-f]+)\t([^\0]*)\0/g)];
  const blobs = new Map(
    rows.map(([, mode, id = '', path = '']) => [path, { id, isLink: mode === '120000' }] as const),
  );
  const idsOf = (paths: readonly string[]): ReadonlySet<string> =>
    new Set(paths.flatMap((path) => blobs.get(path)?.id ?? []));
  const batch = (ids: ReadonlySet<string>): ReadonlyMap<string, Buffer> =>
    ids.size === 0 ? new Map() : batchOf(ask(['cat-file', '--batch'], [...ids].join('\n').concat('\n')));
  const following = followingFiles([...blobs.keys()].toSorted(byCodeUnit));
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

/** Small enough to keep in memory. */
const maxBatchFiles = 512;

/** Returns a path and those after it of the same kind: config files are read in order, and large images may be next to them. */
function followingFiles(sorted: readonly string[]): (path: string) => readonly string[] {
  const places = new Map(sorted.map((path, index) => [path, index]));
  return (path) => {
    const from = places.get(path) ?? sorted.length;
    const next = sorted.slice(from, from + maxBatchFiles);
    return next.filter((each) => posix.extname(each) === posix.extname(path));
  };
}

/** Each object is a line `ID blob SIZE`, the bytes and a line end. Source: git-cat-file(1), BATCH OUTPUT */
function batchOf(out: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < out.length;) {
    const end = out.indexOf('\n', at);
    const [id = '', , size = ''] = out.subarray(at, end).toString('latin1').split(' ');
    // A line without a size reports an object that is missing from a partial clone.
    const bytes = /^\d+$/.test(size) ? Number(size) : 0;
    if (bytes > 0 || size === '0') found.set(id, out.subarray(end + 1, end + 1 + bytes));
    at = size === '' || !/^\d+$/.test(size) ? end + 1 : end + 1 + bytes + 1;
  }
  return found;
}
