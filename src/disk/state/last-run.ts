import type { Problem } from '../../core/problem.js';
import { isInsidePath } from '../inside-path.js';
import type { InputRecord } from './recorded-inputs.js';
import { count, list, members, names, text, time, truth, type Shape } from './state-shape.js';

/**
 * Inputs and messages of the last run of a target, from which the next run detects that there is nothing to do. The outputs do not
 * depend on it: without it they are rendered again, to the same bytes.
 */
export interface LastRun {
  /** Build ID of the program. */
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

/** By name of the target. */
export type LastRuns = Readonly<Record<string, LastRun>>;

export const insidePath: Shape = text('a path below the directory', isInsidePath);

/** Shape of a stored warning. */
export const warningShape: Shape = members(
  { code: text(), message: text(), severity: text('"warning"', (value) => value === 'warning') },
  { at: members({ file: text() }), hint: text(), asset: text() },
);

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
