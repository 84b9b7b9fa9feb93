import type { Problem } from '../../core/problem.js';
import { isError } from '../../core/problem.js';
import type { Difference } from '../../review/diff/difference.js';
import { markdownOf } from '../../review/diff/show-markdown.js';
import { textOf } from '../../review/diff/show-text.js';
import type { DiffOptions, GlobalOptions } from '../options.js';
import { exitCodes } from '../output/exit-codes.js';
import { inReportForm } from '../output/report-form.js';
import { count } from '../../run/problem-text.js';
import { report } from '../output/report.js';

/** What came of a comparison, and how it is called. */
export interface Comparison {
  readonly problems: readonly Problem[];
  /** Absent where there is nothing to compare. */
  readonly differences?: readonly Difference[];
  /** Both sides in a few words. */
  readonly what: string;
  /** What is to be done about a difference. */
  readonly advice?: string;
}

/** Options of a command that compares, with those of all commands. */
export type ComparingOptions = Omit<GlobalOptions, 'output'> & DiffOptions;

/** Says what differs, in the form that is asked for. The exit code is 1 where something does. */
export function reportDifferences(options: ComparingOptions, comparison: Comparison): void {
  const { problems, differences = [] } = comparison;
  const isEqual = differences.length === 0;
  const { output } = options;
  report(inReportForm(options), {
    problems,
    text: output === 'markdown' ? markdownOf(differences, comparison.what) : plainText(comparison),
    json: { ok: isEqual, equal: isEqual, differences },
  });
  if (!problems.some(isError) && !isEqual) process.exitCode = exitCodes.problems;
}

function plainText({ differences = [], what, advice }: Comparison): string {
  if (differences.length === 0) return `No difference: ${what}.\n`;
  const told = advice === undefined ? '' : `${advice}\n`;
  return `${textOf(differences)}\n${count(differences.length, 'difference')}: ${what}.\n${told}`;
}
