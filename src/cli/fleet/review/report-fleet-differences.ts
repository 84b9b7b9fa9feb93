import { isError, type Problem } from '../../../core/problem.js';
import type { FleetDifferences } from '../../../fleet/review/grouped-differences.js';
import { areEqual, fleetData, fleetMarkdown, fleetText } from '../../../fleet/review/show-fleet.js';
import { exitCodes } from '../../output/exit-codes.js';
import { inReportForm } from '../../output/report-form.js';
import { report, reportFound } from '../../output/report.js';
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
  /** Whether `found` is told with errors beside it, too: they are of other sites. */
  readonly isFoundAnyway?: boolean;
}

/** Says what differs between fleets, in the form that is asked for. The exit code is 1 where something does. */
export function reportFleetDifferences(
  options: ComparingFleet,
  { problems, found, what, advice, isFoundAnyway = false }: FleetComparison,
): void {
  const { output } = options;
  if (found === undefined) {
    report(inReportForm(options), { problems });
    return;
  }
  const isEqual = areEqual(found);
  const told = isEqual || advice === undefined ? '' : `${advice}\n`;
  const text = output === 'markdown' ? fleetMarkdown(found, what) : `${fleetText(found, what)}${told}`;
  const ok = isEqual && !problems.some(isError);
  const tell = isFoundAnyway ? reportFound : report;
  tell(inReportForm(options), { problems, text, json: { ok, ...fleetData(found) } });
  if (!problems.some(isError) && !isEqual) process.exitCode = exitCodes.problems;
}
