import { quoted } from '../../core/quoted.js';
import { parseDuration } from '../../formats/duration.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import type { Finding } from '../schema/rule.js';

/** The allowed range of a duration; both bounds are durations. */
export interface DurationBounds {
  readonly path: FieldPath;
  readonly least: string;
  readonly most: string;
}

/** Checks a duration as written by the user; no findings if it is missing. */
export function durationFindings(
  text: string | undefined,
  { path, least, most }: DurationBounds,
): readonly Finding[] {
  if (text === undefined) return [];
  const seconds = parseDuration(text);
  const name = path.join('.');
  const place = { code: 'config/duration' as const, path };
  if (seconds === undefined)
    return [
      {
        ...place,
        message: `${name} ${quoted(text)} is not a duration`,
        hint: 'write whole numbers with units, such as 720h, 30d or 1h30m',
      },
    ];
  const isWithin = seconds >= (parseDuration(least) ?? 0) && seconds <= (parseDuration(most) ?? 0);
  return isWithin ? [] : [{ ...place, message: `${name} ${text} is not between ${least} and ${most}` }];
}
