import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { readNamedFile } from '../named-file.js';
import type { Stdin } from '../external-files/standard-input.js';

/** File name that means stdin. */
export const stdinName = '-';

/** Reads a file named by an option, or stdin. Problems: usage/unreadable-file. */
export function readNamedBytes(option: string, path: string, stdin: Stdin): Result<Uint8Array> {
  if (path !== stdinName) return readNamedFile(option, path);
  const read = stdin(option);
  if (read.kind === 'file') return success(read.bytes);
  return failure(
    problem('usage/unreadable-file', `${option} ${stdinName} cannot be read: ${read.reason}`, {
      hint: `name a file instead of ${stdinName}`,
    }),
  );
}
