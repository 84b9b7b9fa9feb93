import { isError, type Problem } from '../core/problem.js';
import type { FleetDifferences } from '../fleet-review/grouped-differences.js';
import { areEqual, fleetData, fleetMarkdown, fleetText } from '../fleet-review/show-fleet.js';
import { exitCodes } from '../command-line/output/exit-codes.js';
import { report } from '../command-line/output/report.js';
import type { ComparingFleet } from './review-options.js';

/** What came of a comparison of fleets, and how it is called. */
export interface FleetComparison {
  readonly problems: readonly Problem[];
  /** Absent where there is nothing to compare. */
  readonly found?: FleetDifferences;
  /** Both sides in a few words. */
  readonly what: string;
  /** What is to be done about a difference. */
  readonly advice?: string;
}

/** Says what differs between fleets, in the form that is asked for. The exit code is 1 where something does. */
export function reportFleetDifferences(
  options: ComparingFleet,
  { problems, found, what, advice }: FleetComparison,
): void {
  const { output } = options;
  const form: 'json' | 'text' = output === 'json' ? 'json' : 'text';
  if (found === undefined) {
    report({ ...options, output: form }, { problems });
    return;
  }
  const isEqual = areEqual(found);
  const told = isEqual || advice === undefined ? '' : `${advice}\n`;
  const text = output === 'markdown' ? fleetMarkdown(found, what) : `${fleetText(found, what)}${told}`;
  report({ ...options, output: form }, { problems, text, json: { ok: isEqual, ...fleetData(found) } });
  if (!problems.some(isError) && !isEqual) process.exitCode = exitCodes.problems;
}
