import type { Problem } from '../../core/problem.js';
import { isError } from '../../core/problem.js';
import { differenceData, type Difference } from '../../review/diff/difference.js';
import { differencesMarkdown } from '../../review/diff/show-markdown.js';
import { differencesText } from '../../review/diff/show-text.js';
import type { GlobalOptions } from '../options.js';
import { exitCodes } from '../output/exit-codes.js';
import { count } from '../../run/problem-text.js';
import { report } from '../output/report.js';

/** The result of a comparison. */
export interface Comparison {
  readonly problems: readonly Problem[];
  /** Absent if the comparison was not possible. */
  readonly differences?: readonly Difference[];
  /** Names the two sides. */
  readonly what: string;
  /** Printed after differences. */
  readonly advice?: string;
}

/** Prints the differences in the requested format. The exit code is 1 if there are any. */
export function reportDifferences(options: GlobalOptions, comparison: Comparison): void {
  const { problems, differences = [] } = comparison;
  const isEqual = differences.length === 0;
  const { output } = options;
  report(options, {
    problems,
    text: output === 'markdown' ? differencesMarkdown(differences, comparison.what) : plainText(comparison),
    json: { ok: isEqual, equal: isEqual, differences: differences.map(differenceData) },
  });
  if (!problems.some(isError) && !isEqual) process.exitCode = exitCodes.problems;
}

function plainText({ differences = [], what, advice }: Comparison): string {
  if (differences.length === 0) return `No differences: ${what}.\n`;
  const adviceLine = advice === undefined ? '' : `${advice}\n`;
  return `${differencesText(differences)}\n${count(differences.length, 'difference')}: ${what}.\n${adviceLine}`;
}
