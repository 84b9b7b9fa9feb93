import { resolve } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { mayBeSecretArgument } from '../core/secrets.js';
import { maxReferenceBytes } from './external-files/read-reference.js';
import { readRegularFile } from './regular-file.js';

/** Reads a file named on the command line; messages call it `option`. Problems: usage/unreadable-file. */
export function readNamedFile(option: string, path: string, maxBytes?: number): Result<Buffer> {
  const read = readRegularFile(path, maxBytes);
  if (read.kind === 'file') return success(read.bytes);
  return unreadableFile(option, path, read.kind === 'absent' ? 'it does not exist' : read.reason);
}

/** As `readNamedFile`, decoded to text. Problems: usage/unreadable-file. */
export function readNamedText(option: string, path: string): Result<string> {
  const read = readNamedFile(option, path);
  return read.ok ? success(read.value.toString('utf8')) : read;
}

/** Reads a config value from a file, with the size limit of files that a config names. Problems: usage/unreadable-file. */
export function readNamedValue(option: string, path: string): Result<string> {
  const read = readNamedFile(option, path, maxReferenceBytes);
  return read.ok ? success(read.value.toString('utf8')) : read;
}

/** `path` is relative to the working directory. */
export function unreadableFile(
  option: string,
  path: string,
  reason: string,
  hint = 'name a file that exists and that this user can read',
): Result<never> {
  const message = `${option} ${path} cannot be read: ${reason}`;
  // A secret in the place of a path is not repeated.
  const at = mayBeSecretArgument(path) ? undefined : { file: resolve(path) };
  return failure(problem('usage/unreadable-file', message, { ...(at && { at }), hint }));
}
