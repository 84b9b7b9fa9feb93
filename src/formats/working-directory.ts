import { isAbsolute, join, relative, resolve } from 'node:path';

import type { Problem } from '../core/problem.js';

/** Makes the file paths in a problem relative to the working directory. */
export function relativeToWorkingDirectory(dir: string, found: Problem): Problem {
  return withFilePaths(found, (file) => pathFromWorkingDirectory(dir, file));
}

/**
 * Path of a file in `dir`, relative to the working directory. A file outside the working directory keeps `dir` as written, and an
 * absolute path stays absolute.
 */
export function pathFromWorkingDirectory(dir: string, file: string): string {
  if (isAbsolute(file)) return isAbsolute(dir) ? file : shorter(file);
  if (!isAbsolute(dir)) return join(dir, file);
  const here = relative('', resolve(dir, file));
  return here.startsWith('..') ? join(dir, file) : here;
}

/** An absolute path below the working directory becomes relative. */
function shorter(file: string): string {
  const here = relative('', file);
  return here.startsWith('..') || isAbsolute(here) ? file : here;
}

/** Replaces the file paths in a problem. */
export function withFilePaths(found: Problem, shownAs: (file: string) => string): Problem {
  const { at, from, other } = found;
  return {
    ...found,
    ...(at && { at: { ...at, file: shownAs(at.file) } }),
    ...(from && { from: { ...from, file: shownAs(from.file) } }),
    ...(other && { other: { ...other, file: shownAs(other.file) } }),
  };
}
