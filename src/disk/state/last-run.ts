import type { Problem } from '../../core/problem.js';
import { isInsidePath } from '../inside-path.js';
import {
  countShape,
  listShape,
  objectShape,
  recordShape,
  textShape,
  timeShape,
  booleanShape,
  type Shape,
} from './state-shape.js';

/**
 * Inputs and messages of the last run of a target, from which the next run detects that there is nothing to do. The outputs do not
 * depend on it: without it they are rendered again, to the same bytes.
 */
export interface LastRun {
  /** Build ID of the program. */
  readonly program: string;
  /** Requests of the run to its inputs; see `InputRecord`. */
  readonly questions: readonly string[];
  /** See `inputFingerprint`. */
  readonly fingerprint: string;
  readonly outputs: readonly { readonly path: string; readonly bytes: number; readonly mode: number }[];
  readonly warnings: readonly Problem[];
  readonly embedded?: { readonly bytes: number; readonly isExact: boolean; readonly limitBytes: number };
  readonly liveImage?: {
    readonly architecture: string;
    readonly release?: string;
    readonly isOkd?: boolean;
  };
  /** RFC 3339. */
  readonly bootableFrom?: string;
  /** RFC 3339. */
  readonly bootableUntil?: string;
}

/** By name of the target. */
export type LastRuns = Readonly<Record<string, LastRun>>;

/** The last runs whose outputs still exist: outputs overwritten by another target must be generated again. */
export function validRuns(
  lastRuns: LastRuns,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): LastRuns {
  const isValid = ({ outputs }: LastRun): boolean =>
    outputs.every(({ path }) => before[path] === after[path]);
  return Object.fromEntries(Object.entries(lastRuns).filter(([, run]) => isValid(run)));
}

export const insidePath: Shape = textShape('a path below the directory', isInsidePath);

/** Shape of a stored warning. */
export const warningShape: Shape = objectShape(
  {
    code: textShape(),
    message: textShape(),
    severity: textShape('"warning"', (value) => value === 'warning'),
  },
  { at: objectShape({ file: textShape() }), hint: textShape(), asset: textShape() },
);

export const lastRunsShape: Shape = recordShape(
  objectShape(
    {
      program: textShape(),
      questions: listShape(textShape()),
      fingerprint: textShape(),
      outputs: listShape(objectShape({ path: insidePath, bytes: countShape, mode: countShape })),
      warnings: listShape(warningShape),
    },
    {
      embedded: objectShape({ bytes: countShape, isExact: booleanShape, limitBytes: countShape }),
      liveImage: objectShape({ architecture: textShape() }, { release: textShape(), isOkd: booleanShape }),
      bootableFrom: timeShape,
      bootableUntil: timeShape,
    },
  ),
);
