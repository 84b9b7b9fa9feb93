import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../../core/is-record.js';

/** The JSON merge patch that changes one object into the other (RFC 7386); undefined if they are equal. Lists are replaced as a whole. */
export function mergePatch(before: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(before, after)) return undefined;
  if (!isRecord(before) || !isRecord(after)) return after;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      if (after[name] === undefined) return [[name, null] as const];
      const patch = mergePatch(before[name], after[name]);
      return patch === undefined ? [] : [[name, patch] as const];
    }),
  );
}
