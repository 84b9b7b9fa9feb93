import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf, systemErrorCode } from './system-error.js';
import { createRecordFolder } from './record-file.js';

/**
 * Creates a file readable by its owner only. Never replaces a file: an existing one is reported with `hint`.
 * Problems: dir/file-exists, dir/not-writable.
 */
export function writeNewFile(path: string, contents: string, hint: string): Result<void> {
  const folder = createRecordFolder(dirname(path));
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
      return failure(problem('dir/file-exists', `${path} already exists and is not overwritten`, { hint }));
    return failure(problem('dir/not-writable', `cannot write ${path}: ${reasonOf(error)}`));
  }
}
