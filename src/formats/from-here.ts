import { isAbsolute, join, relative, resolve } from 'node:path';

import type { Problem } from '../core/problem.js';

/** The problem as somebody reads it who stands in the working directory: its file is named from there. */
export function fromWorkingDirectory(dir: string, found: Problem): Problem {
  return placed(found, (file) => pathFromHere(dir, file));
}

/** A file of a directory, named from the working directory; one that lies elsewhere keeps the name it was given by. */
export function pathFromHere(dir: string, file: string): string {
  if (isAbsolute(file)) return file;
  if (!isAbsolute(dir)) return join(dir, file);
  const here = relative('', resolve(dir, file));
  return here.startsWith('..') ? join(dir, file) : here;
}

/** A problem whose file is named in another way. */
export function placed(found: Problem, shownAs: (file: string) => string): Problem {
  const { at, from } = found;
  return {
    ...found,
    ...(at && { at: { ...at, file: shownAs(at.file) } }),
    ...(from && { from: { ...from, file: shownAs(from.file) } }),
  };
}
