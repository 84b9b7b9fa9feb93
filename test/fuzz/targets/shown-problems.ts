import type { Problem } from '../../../src/core/problem.js';
import { renderProblem } from '../../../src/core/render-problem.js';
import { printableFields } from '../../../src/config/schema/printable-fields.js';
import { placeFault } from '../../support/place-fault.js';

/** Problems as text and as JSON, with excerpts of the given files. */
export function shownProblems(
  problems: readonly Problem[],
  texts: Readonly<Record<string, string>> = {},
): string {
  const rendered = problems.map((found) => {
    const text = found.at === undefined ? undefined : texts[found.at.file];
    // Rows of a table are never shown, see src/run/problem-text.ts.
    const isTable = found.at?.file.endsWith('.csv') === true;
    return renderProblem(
      found,
      text === undefined || isTable ? undefined : { text, fields: printableFields },
    );
  });
  return `${JSON.stringify(problems)}\n${rendered.join('\n')}`;
}

/** The first position that is outside its file. */
export function wrongPlace(
  problems: readonly Problem[],
  texts: Readonly<Record<string, string>>,
): string | undefined {
  for (const found of problems) {
    const text = found.at === undefined ? undefined : texts[found.at.file];
    const fault = text === undefined ? undefined : placeFault(found, text);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
