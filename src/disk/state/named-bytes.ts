import { success, type Result } from '../../core/result.js';
import { readNamedFile, unreadableFile } from '../named-file.js';
import type { Stdin } from '../outside/standard-input.js';

/** What stands for stdin in the place of a file. */
export const stdinName = '-';

/** What a file holds that an option names, or stdin. Problems: usage/unreadable-file. */
export function readNamedBytes(option: string, path: string, stdin: Stdin): Result<Uint8Array> {
  if (path !== stdinName) return readNamedFile(option, path);
  const read = stdin(option);
  return read.kind === 'file' ? success(read.bytes) : unreadableFile(option, stdinName, read.reason);
}
