import { areEqual, fleetData, fleetMarkdown, fleetText } from './show-fleet.js';
import { type FleetDifferences } from '../../../fleet/review/index.js';
import { isError, type Problem } from '../../../core/problem.js';
import { exitCodes } from '../../output/exit-codes.js';
import { report, reportResult } from '../../output/report.js';
import type { ComparingFleet } from './review-options.js';

/** The result of a comparison of fleets. */
export interface FleetComparison {
  readonly problems: readonly Problem[];
  /** Absent if the comparison was not possible. */
  readonly found?: FleetDifferences;
  /** Names the two sides. */
  readonly what: string;
  /** Printed after differences. */
  readonly advice?: string;
  /** Printed after the report, whether there are differences or not. */
  readonly note?: string;
  /** Whether only the sheets were compared. */
  readonly isOfSheets?: boolean;
}

/** Prints the differences between fleets in the requested format. The exit code is 1 if there are any. */
export function reportFleetDifferences(
  options: ComparingFleet,
  { problems, found, what, advice, note, isOfSheets = false }: FleetComparison,
): void {
  const { output } = options;
  if (found === undefined) {
    report(options, { problems });
    return;
  }
  const isEqual = areEqual(found);
  const adviceLine = isEqual || advice === undefined ? '' : `${advice}\n`;
  const compared = isOfSheets ? `the sheets of ${what}` : what;
  const noteLine = note === undefined ? '' : `${note}\n`;
  const text =
    output === 'markdown'
      ? `${fleetMarkdown(found, compared)}${noteLine === '' ? '' : `\n${noteLine}`}`
      : `${fleetText(found, compared)}${adviceLine}${noteLine}`;
  const ok = isEqual && !problems.some(isError);
  // Errors belong to other sites than the differences.
  reportResult(options, { problems, text, json: { ok, ...fleetData(found) } });
  if (!problems.some(isError) && !isEqual) process.exitCode = exitCodes.problems;
}
