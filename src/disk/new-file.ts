import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf, systemErrorCode } from './file-system-problem.js';
import { makeRecordFolder } from './record-file.js';

/**
 * Writes a file that must not be there yet, for its owner's eyes only. Where it is there, the hint is that of who called.
 * Problems: dir/file-exists, dir/not-writable.
 */
export function writeNewFile(path: string, contents: string, hint: string): Result<void> {
  const folder = makeRecordFolder(dirname(path));
  if (!folder.ok) return folder;
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      writeFileSync(file, contents);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
    return success(undefined);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST')
      return failure(
        problem('dir/file-exists', `${path} is there already and is never overwritten`, { hint }),
      );
    return failure(problem('dir/not-writable', `cannot write ${path}: ${reasonOf(error)}`));
  }
}
