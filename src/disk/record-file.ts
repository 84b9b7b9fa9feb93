import { mkdirSync } from 'node:fs';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf } from './file-system-problem.js';
import { unreadableFile } from './named-file.js';
import { readOwnFile } from './regular-file.js';

/** The text of a record that a command keeps; empty when there is none yet. Problems: usage/unreadable-file. */
export function readRecord(path: string): Result<string> {
  const read = readOwnFile(path);
  if (read.kind === 'file') return success(read.bytes.toString('utf8'));
  return read.kind === 'absent' ? success('') : unreadableFile('the record', path, read.reason);
}

/** Makes a folder for records, for its owner alone, where there is none. Problems: dir/not-writable. */
export function makeRecordFolder(path: string): Result<void> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return success(undefined);
  } catch (error) {
    const hint = 'give write permission, and run it again';
    return failure(problem('dir/not-writable', `cannot make ${path}: ${reasonOf(error)}`, { hint }));
  }
}
