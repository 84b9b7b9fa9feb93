import { basename, dirname } from 'node:path';

import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { problem } from '../../core/problem.js';
import { containedInputs } from '../../disk/outside/contained-inputs.js';
import { filesBelow } from '../../disk/files-below.js';
import { inputsOf } from '../../disk/read-inputs.js';
import type { Inputs } from '../../graph/context.js';

/** A file or folder of the command line, as inputs. */
export interface SourceFolder {
  /** The folder itself, or that of the file. */
  readonly dir: string;
  readonly inputs: Inputs;
  /** The name of the file in it; `.` for all of the folder. */
  readonly path: string;
}

/**
 * Opens what the command line names; a command that takes folders alone says so. Of what lies outside of the folder nothing is read.
 * Problems: usage/unreadable-file, import/no-source.
 */
export function sourceFolder(named: string, takes: 'folder' | 'any'): Result<SourceFolder> {
  const found = filesBelow(named);
  if (!found.ok) return failure(...problemsOf(found));
  if (found.value.isFolder)
    return success({ dir: named, inputs: containedInputs(named, inputsOf(named, {})), path: '.' });
  if (takes === 'folder') {
    const hint = 'name the folder that it lies in';
    return failure(problem('import/no-source', 'what is named is no folder', { hint }));
  }
  const [dir, path] = [dirname(named), basename(named)];
  return success({ dir, inputs: containedInputs(dir, inputsOf(dir, {}), [path]), path });
}
