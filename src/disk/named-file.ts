import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { maxReferenceBytes } from './outside/read-reference.js';
import { readRegularFile } from './regular-file.js';

/** The bytes of a file named on the command line, which messages call `option`. Problems: usage/unreadable-file. */
export function readNamedFile(option: string, path: string, maxBytes?: number): Result<Buffer> {
  const read = readRegularFile(path, maxBytes);
  if (read.kind === 'file') return success(read.bytes);
  return unreadableFile(option, path, read.kind === 'absent' ? 'it does not exist' : read.reason);
}

/** The same as text. Problems: usage/unreadable-file. */
export function readNamedText(option: string, path: string): Result<string> {
  const read = readNamedFile(option, path);
  return read.ok ? success(read.value.toString('utf8')) : read;
}

/** The text of a value that goes into a config, or whose file a config may name: no larger than there. Problems: usage/unreadable-file. */
export function readNamedValue(option: string, path: string): Result<string> {
  const read = readNamedFile(option, path, maxReferenceBytes);
  return read.ok ? success(read.value.toString('utf8')) : read;
}

/** A file of the command line that cannot be read, and why. */
export function unreadableFile(option: string, path: string, reason: string): Result<never> {
  return failure(problem('usage/unreadable-file', `${option} ${path} cannot be read: ${reason}`));
}
