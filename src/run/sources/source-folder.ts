import { basename, dirname } from 'node:path';

import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { problem } from '../../core/problem.js';
import { containedInputs } from '../../disk/external-files/contained-inputs.js';
import { filesBelow } from '../../disk/files-below.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import type { Inputs } from '../../graph/context.js';

/** A file or folder of the command line as inputs. */
export interface SourceFolder {
  /** The folder, or the folder of the file. */
  readonly dir: string;
  readonly inputs: Inputs;
  /** Name of the file in `dir`; `.` for the whole folder. */
  readonly path: string;
}

/**
 * Opens a file or folder of the command line; `takes` restricts it to folders. Reads nothing outside of the folder.
 * Problems: usage/unreadable-file, import/no-source.
 */
export function sourceFolder(named: string, takes: 'folder' | 'any'): Result<SourceFolder> {
  const found = filesBelow(named);
  if (!found.ok) return failure(...problemsOf(found));
  if (found.value.isFolder)
    return success({ dir: named, inputs: containedInputs(named, cachedInputs(named, {})), path: '.' });
  if (takes === 'folder') {
    const hint = 'name its folder';
    return failure(problem('import/no-source', 'the path is not a folder', { hint }));
  }
  const [dir, path] = [dirname(named), basename(named)];
  return success({ dir, inputs: containedInputs(dir, cachedInputs(dir, {}), [path]), path });
}
