import { success, type Result } from '../../core/result.js';
import { readNamedFile, unreadableFile } from '../named-file.js';
import type { Stdin } from '../external-files/standard-input.js';

/** File name that means stdin. */
export const stdinName = '-';

/** Reads a file named by an option, or stdin. Problems: usage/unreadable-file. */
export function readNamedBytes(option: string, path: string, stdin: Stdin): Result<Uint8Array> {
  if (path !== stdinName) return readNamedFile(option, path);
  const read = stdin(option);
  return read.kind === 'file' ? success(read.bytes) : unreadableFile(option, stdinName, read.reason);
}
