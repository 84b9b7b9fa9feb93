import { isAbsolute, posix } from 'node:path';

import { readReference, type ExternalSources } from '../../disk/external-files/read-reference.js';
import { sha256 } from '../../formats/sha256.js';
import type { InputRead, Inputs } from '../../graph/context.js';
import type { FleetFolder } from './read-fleet.js';

/** Files of a fleet in memory. Paths are relative to the folder of fleet.yaml, or absolute. */
export interface PackedFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Sorted names in each folder; folders end with `/`. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
}

/** Access to packed files like to those on disk. Environment variables and stdin come from `outside`. */
export function packedFolder(packed: PackedFiles, outside: ExternalSources): FleetFolder {
  return { inputsAt: (folder) => inputsIn(packed, { folder, outside }) };
}

/** Path of a file in a pack, for a path that is relative to `folder`. */
export function packedPath(folder: string, path: string): string {
  return isAbsolute(path) ? posix.normalize(path) : posix.join(folder, path);
}

function inputsIn(
  { files, folders }: PackedFiles,
  { folder, outside }: { readonly folder: string; readonly outside: ExternalSources },
): Inputs {
  // One object per file, since parsed files are cached by it.
  const reads = new Map<string, InputRead>();
  const read = (path: string): InputRead => {
    const place = packedPath(folder, path);
    const bytes = files.get(place);
    if (bytes === undefined) return { kind: 'absent' };
    const known = reads.get(place) ?? { kind: 'file', bytes };
    reads.set(place, known);
    return known;
  };
  return {
    read,
    readReference: (reference) =>
      reference.place.kind === 'file'
        ? read(reference.place.path)
        : readReference(reference, folder, outside),
    digest: (path) => {
      const found = read(path);
      return found.kind === 'file' ? { kind: 'file', sha256: sha256(found.bytes) } : found;
    },
    list: (path) => folders.get(packedPath(folder, path).replace(/\/$/, '')),
    written: () => undefined,
    writtenPaths: () => [],
  };
}
