import { isAbsolute, join, posix } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { openRevision, type GitRevision } from '../../disk/git/git-revision.js';
import { revisionInputs } from '../../disk/git/revision-inputs.js';
import type { ExternalSources } from '../../disk/external-files/read-reference.js';
import { folderAt, folderOnDisk, type ReviewFolder } from '../../run/sources/review-folder.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import type { FleetFiles } from '../table/site-files.js';
import type { Inputs } from '../../graph/context.js';
import { fleetFilesOf, loadFleet, openFleet, type FleetPaths } from '../table/read-fleet.js';
import { sitesWithOutputs } from './outputs/outputs-sides.js';
import { isSharedIndex, readTreeOnDisk } from './shared-layout.js';
import type { SharedTree } from './shared-tree.js';

/** A folder that can be compared with another folder of the same kind. */
export type ReviewSource =
  | {
      readonly kind: 'fleet';
      /** As the user wrote it. */
      readonly dir: string;
      /** Commit ID, if the fleet was read from a Git revision. */
      readonly commit?: string;
      readonly read: LoadedFleet;
      readonly placed: (found: Problem) => Problem;
    }
  | { readonly kind: 'tree'; readonly tree: SharedTree }
  /** Outputs of sites, in a folder on disk. */
  | { readonly kind: 'outputs'; readonly dir: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'empty' };

/** Opens a folder on disk: a fleet, its golden tree, or outputs of sites. Problems: those of `openFleet`, usage/unreadable-file. */
export function openOnDisk(dir: string, outside: ExternalSources): Result<ReviewSource> {
  const place = placeOf(folderOnDisk(dir, outside), () => openFleet(dir, { outside }));
  const isMade = place.ok && place.value.kind === 'other' && sitesWithOutputs(dir).length > 0;
  return isMade ? success({ kind: 'outputs', dir }) : place;
}

/** Opens a folder in a Git revision. Problems: review/revision, those of `openFleet`. */
export function openAtRevision(
  dir: string,
  revision: string,
  outside: ExternalSources,
): Result<ReviewSource> {
  const folder = folderAt(dir, revision, outside);
  if (!folder.ok) return folder;
  const opened = openRevision(dir, revision);
  if (!opened.ok) return opened;
  const { commit } = opened.value;
  const place = placeOf(folder.value, () => loadFleet({ inputsAt: below(opened.value, dir, outside) }));
  return place.ok && place.value.kind === 'fleet'
    ? success({ ...place.value, commit }, place.warnings)
    : place;
}

/** Input files in a commit that was opened successfully before; throws if it cannot be read any more. */
export function filesAtCommit(
  { dir, commit, ...paths }: FleetPaths & FleetCommit,
  outside: ExternalSources,
): FleetFiles {
  const opened = openRevision(dir, commit);
  if (!opened.ok) throw new Error(`internal error: cannot read commit ${commit} again`);
  const inputsIn = below(opened.value, dir, outside);
  return fleetFilesOf(paths, { inputsAt: inputsIn });
}

interface FleetCommit {
  readonly dir: string;
  readonly commit: string;
}

/** Returns the files below a folder of the fleet. */
function below(revision: GitRevision, dir: string, outside: ExternalSources): (folder: string) => Inputs {
  return (folder) => revisionInputs(revisionBelow(revision, folder), join(dir, folder), outside);
}

function placeOf(folder: ReviewFolder, open: () => Result<LoadedFleet>): Result<ReviewSource> {
  const { name: dir, inputs, placed, isEmpty } = folder;
  if (isEmpty) return success({ kind: 'empty' });
  if (inputs.read('fleet.yaml').kind !== 'absent') {
    const read = open();
    const found = problemsOf(read).map(placed);
    return read.ok ? success({ kind: 'fleet', dir, read: read.value, placed }, found) : failure(...found);
  }
  const index = inputs.read('index.txt');
  if (index.kind === 'file' && isSharedIndex(Buffer.from(index.bytes).toString('utf8'))) {
    const texts = folder.texts();
    const tree = texts.ok ? readTreeOnDisk(texts.value) : undefined;
    return texts.ok ? success(tree ? { kind: 'tree', tree } : { kind: 'empty' }) : texts;
  }
  return success({ kind: 'other' });
}

/** View of a revision that is limited to a folder. */
function revisionBelow(revision: GitRevision, folder: string): GitRevision {
  const within = (path: string): string => (isAbsolute(path) ? path : posix.join(folder, path));
  const prefix = folder === '.' ? '' : `${posix.normalize(folder)}/`;
  return {
    commit: revision.commit,
    paths: revision.paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length)),
    read: (path) => revision.read(within(path)),
    readAll: (paths) => {
      const read = revision.readAll(paths.map(within));
      return new Map([...read].map(([path, bytes]) => [path.slice(prefix.length), bytes] as const));
    },
    list: (path) => revision.list(within(path)),
  };
}
