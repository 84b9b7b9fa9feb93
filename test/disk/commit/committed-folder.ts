import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ProblemCode } from '../../../src/core/problem.js';
import { failure } from '../../../src/core/result.js';
import { scratchFolder } from '../../support/scratch.js';

/** The folder that holds the plan and the staged files of a commit. */
export const pending = '.sno-install-pending';

export const untouched = { a: 'old a', removed: 'old' };

/** A directory with outputs of an earlier run. */
export function folderOfBefore(): string {
  const dir = scratchFolder();
  for (const [path, text] of Object.entries(untouched)) writeFileSync(join(dir, path), text);
  return dir;
}

/** File contents of a directory, keyed by path. */
export function filesOf(dir: string): object {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted();
  const isFile = (path: string): boolean => statSync(join(dir, path)).isFile();
  return Object.fromEntries(
    paths.filter(isFile).map((path) => [path, readFileSync(join(dir, path), 'utf8')]),
  );
}

export function refused(code: ProblemCode, message: string, details: object): object {
  return failure({ code, severity: 'error', message, ...details });
}

export const completedFirst = 'fix this and run the command again; it writes the missing files first';
