import { mkdirSync } from 'node:fs';

import { resolve } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf } from './system-error.js';
import { whyOutside } from './read-policy.js';
import { readTrustedFile } from './trust.js';

/** Reads a record that a command keeps; empty if there is none. Problems: usage/unreadable-file. */
export function readRecord(path: string): Result<string> {
  const read = readTrustedFile(path);
  if (read.kind === 'file') return success(read.bytes.toString('utf8'));
  if (read.kind === 'absent') return success('');
  const message = `the record ${path} cannot be read: ${read.reason}`;
  const hint = 'restore the file; without it, machines may be booted again';
  return failure(problem('usage/unreadable-file', message, { at: { file: resolve(path) }, hint }));
}

/**
 * Creates a folder for records, accessible to its owner only, if it is missing. `within` is the folder that it must not lead out of,
 * for a folder that the user did not name. Problems: dir/not-writable.
 */
export function createRecordFolder(path: string, within = path): Result<void> {
  const inside = requireInside(path, within);
  if (!inside.ok) return inside;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return success(undefined);
  } catch (error) {
    const hint = 'grant write permission, and run the command again';
    return failure(problem('dir/not-writable', `cannot make ${path}: ${reasonOf(error)}`, { hint }));
  }
}

/** Rejects a folder to write to that leads out of `within`. Problems: dir/not-writable. */
export function requireInside(path: string, within: string): Result<void> {
  const outside = path === within ? undefined : whyOutside(path, within);
  if (outside === undefined) return success(undefined);
  const hint = 'replace the link with a folder';
  return failure(problem('dir/not-writable', `cannot write to ${path}: ${outside}`, { hint }));
}
