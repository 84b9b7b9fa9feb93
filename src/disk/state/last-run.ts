import type { Problem } from '../../core/problem.js';
import { isInsidePath } from '../inside-path.js';
import type { InputRecord } from './recorded-inputs.js';
import { count, list, members, names, text, time, truth, type Shape } from './state-shape.js';

/**
 * What the last run of a target saw and said, so that the next one can tell that there is nothing to do. It adds nothing
 * to what the outputs are: without it they are made again, to the same bytes.
 */
export interface LastRun {
  /** Which build of the program it was. */
  readonly program: string;
  readonly inputs: InputRecord;
  readonly outputs: readonly { readonly path: string; readonly bytes: number; readonly mode: number }[];
  readonly warnings: readonly Problem[];
  readonly embedded?: { readonly bytes: number; readonly isExact: boolean; readonly limitBytes: number };
  readonly liveImage?: { readonly architecture: string; readonly release?: string };
  /** RFC 3339. */
  readonly bootableFrom?: string;
  /** RFC 3339. */
  readonly bootableUntil?: string;
}

/** The last run of each target, by its name. */
export type LastRuns = Readonly<Record<string, LastRun>>;

/** A path below the directory. */
export const insidePath: Shape = text('a path below the directory', isInsidePath);

/** The shape of a warning that is kept. */
export const warningShape: Shape = members(
  { code: text(), message: text(), severity: text('"warning"', (value) => value === 'warning') },
  { at: members({ file: text() }), hint: text(), asset: text() },
);

/** The shape of `LastRuns`. */
export const lastRunsShape: Shape = names(
  members(
    {
      program: text(),
      inputs: names(text()),
      outputs: list(members({ path: insidePath, bytes: count, mode: count })),
      warnings: list(warningShape),
    },
    {
      embedded: members({ bytes: count, isExact: truth, limitBytes: count }),
      liveImage: members({ architecture: text() }, { release: text() }),
      bootableFrom: time,
      bootableUntil: time,
    },
  ),
);
