import type { Problem } from '../../core/problem.js';
import type { Inputs } from '../../graph/context.js';
import { readObjects, userManifest } from './documents.js';
import { requirementProblems } from './edited-values.js';
import { deletedNeeded, identityProblems, isUnchanged, isDeleted, unreadable } from './edits.js';
import { neededFiles, type NeededFile } from './needed-files.js';
import { requirementsAt } from './field-requirements.js';

/**
 * Reports invalid edits of files that the installation needs, as far as possible without a valid config.
 * Faults in the text of a file are reported where all files are read.
 * Problems: manifest/unreadable, manifest/deleted-needed, manifest/needed-object-changed, manifest/edited-value.
 */
export function neededEditProblems(inputs: Inputs): readonly Problem[] {
  return Object.entries(neededFiles)
    .filter(([path]) => inputs.written(path) !== undefined)
    .flatMap(([path, needed]) => problemsAt(path, needed, inputs));
}

function problemsAt(path: string, needed: NeededFile, inputs: Inputs): readonly Problem[] {
  const read = inputs.read(path);
  switch (read.kind) {
    case 'unreadable':
      return [unreadable(path, read.reason)];
    case 'absent':
      return isDeleted(path, inputs) ? [deletedNeeded(path, needed)] : [];
    case 'file':
      return isUnchanged(path, read.bytes, inputs) ? [] : problemsIn(path, needed, read.bytes);
  }
}

function problemsIn(path: string, { identity }: NeededFile, bytes: Uint8Array): readonly Problem[] {
  const objects = readObjects(path, bytes);
  const [first] = objects.ok ? objects.value : [];
  if (first === undefined) return [];
  const changed = identityProblems(identity, first);
  return changed.length > 0
    ? changed
    : requirementProblems(userManifest(path, first), requirementsAt(path, first.object));
}
