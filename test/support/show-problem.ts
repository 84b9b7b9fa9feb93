import type { Problem } from '../../src/core/problem.js';

/** A problem on one line: severity, code, position, message. Omits the hint. */
export function showProblem({ severity, code, message, at }: Problem): string {
  const numbers = [at?.line, at?.col].filter((number) => number !== undefined);
  const path = at?.path === undefined || at.path === '' ? [] : [`(${at.path})`];
  const place = at === undefined ? [] : [[at.file, ...numbers].join(':'), ...path];
  return `${[`${severity}[${code}]`, ...place].join(' ')}${place.length > 0 ? ':' : ''} ${message}`;
}
