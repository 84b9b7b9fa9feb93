import { readFileSync } from 'node:fs';

import { success, type Result } from '../../core/result.js';
import { reasonOf } from '../file-system-problem.js';
import { readNamedFile, unreadableFile } from '../named-file.js';

/** The standard input of the process, which one option alone can read. Problems: usage/unreadable-file. */
export type Stdin = (option: string) => Result<Uint8Array>;

/** What stands for stdin in the place of a file. */
export const stdinName = '-';

/** The standard input, read by the first option that asks for it. */
export function standardInput(): Stdin {
  let reader: string | undefined;
  return (option) => {
    if (reader !== undefined) return unreadableFile(option, stdinName, `${reader} has read it`);
    reader = option;
    try {
      return success(readFileSync(0));
    } catch (error) {
      return unreadableFile(option, stdinName, reasonOf(error));
    }
  };
}

/** What a file holds that an option names, or stdin. Problems: usage/unreadable-file. */
export function readNamedBytes(option: string, path: string, stdin: Stdin): Result<Uint8Array> {
  return path === stdinName ? stdin(option) : readNamedFile(option, path);
}
