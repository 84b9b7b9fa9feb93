import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ProblemCode } from '../../../src/core/problem.js';
import { failure } from '../../../src/core/result.js';
import { scratchFolder } from '../../support/scratch.js';

/** Where a commit keeps what it has decided. */
export const pending = '.sno-install-pending';

export const untouched = { a: 'old a', gone: 'old' };

/** A directory with outputs of before. */
export function folderOfBefore(): string {
  const dir = scratchFolder();
  for (const [path, text] of Object.entries(untouched)) writeFileSync(join(dir, path), text);
  return dir;
}

/** The files of a directory by their paths, and what they say. */
export function filesOf(dir: string): object {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted();
  const isFile = (path: string): boolean => statSync(join(dir, path)).isFile();
  return Object.fromEntries(
    paths.filter(isFile).map((path) => [path, readFileSync(join(dir, path), 'utf8')]),
  );
}

/** What is refused. */
export function refused(code: ProblemCode, message: string, details: object): object {
  return failure({ code, severity: 'error', message, ...details });
}

export const completedFirst =
  'mend that and run the command again: it puts the missing files in place before anything else';
