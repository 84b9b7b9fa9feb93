import { resolve } from 'node:path';

import type { InputRead, Inputs } from '../../graph/context.js';
import { sha256 } from '../../formats/sha256.js';
import type { GitRevision, RevisionRead } from './git-revision.js';
import { inputReadPolicy } from '../read-policy.js';
import { readInput } from '../read-inputs.js';
import { readReference, type ExternalSources } from '../external-files/read-reference.js';

/**
 * The user's files in a revision. Reads files outside the repository from disk. Also reads from disk any file named by a field that Git
 * does not have, as is usual for secrets. No file counts as written by an earlier run.
 */
export function revisionInputs(revision: GitRevision, dir: string, outside: ExternalSources): Inputs {
  const reads = new Map<string, InputRead>();
  const read = (path: string): InputRead => {
    const known = reads.get(path) ?? readFrom(revision, dir, path);
    reads.set(path, known);
    return known;
  };
  return {
    read,
    readReference: (reference) => {
      const found =
        reference.place.kind === 'file' ? read(reference.place.path) : { kind: 'absent' as const };
      return found.kind === 'absent' ? readReference(reference, dir, outside) : found;
    },
    digest: (path) => {
      const found = read(path);
      return found.kind === 'file' ? { kind: 'file', sha256: sha256(found.bytes) } : found;
    },
    list: revision.list,
    written: () => undefined,
    writtenPaths: () => [],
  };
}

function readFrom(revision: GitRevision, dir: string, path: string): InputRead {
  const bytes = revision.read(path);
  if (bytes === 'outside') return readInput(resolve(dir, path), undefined, inputReadPolicy(dir));
  if (typeof bytes === 'string') return { kind: 'unreadable', reason: reasons[bytes] };
  return bytes === undefined ? { kind: 'absent' } : { kind: 'file', bytes };
}

/** Missing objects are not fetched: the repository's configuration would choose the program that fetches them. */
export const notFetched =
  'it is missing in this partial clone; run `git fetch --refetch --no-filter` to fetch all files';

/** As for files on disk. */
const reasons: Readonly<Record<Exclude<Extract<RevisionRead, string>, 'outside'>, string>> = {
  'not-fetched': notFetched,
  'too-many-links': 'too many symbolic links',
  'link-outside': 'it is behind a symbolic link to a place outside the directory and its Git repository',
  folder: 'it is a folder, not a file',
};
