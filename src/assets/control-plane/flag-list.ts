import { byCodeUnit } from '../../core/compare.js';

/** Flags without dashes, each with its values: a flag with several stands on the command line once for each of them. */
export type FlagValues = Readonly<Record<string, readonly string[]>>;

/** `--flag=value` for every value, sorted by flag; the values of one flag stay in their order. */
export function flagArguments(flags: FlagValues): readonly string[] {
  return Object.entries(flags)
    .toSorted(([left], [right]) => byCodeUnit(left, right))
    .flatMap(([flag, values]) => values.map((value) => `--${flag}=${value}`));
}
