import type { Problem } from '../../../src/core/problem.js';
import { renderProblem } from '../../../src/core/render-problem.js';
import { printableFields } from '../../../src/config/schema/printable-fields.js';
import { placeFault } from '../../support/place-fault.js';

/** Problems as people and programs see them, with excerpts of the files that are given by name. */
export function shownProblems(
  problems: readonly Problem[],
  texts: Readonly<Record<string, string>> = {},
): string {
  const rendered = problems.map((found) => {
    const text = found.at === undefined ? undefined : texts[found.at.file];
    // A line of a table is shown to nobody, see telling/problem-text.ts.
    const isTable = found.at?.file.endsWith('.csv') === true;
    return renderProblem(
      found,
      text === undefined || isTable ? undefined : { text, fields: printableFields },
    );
  });
  return `${JSON.stringify(problems)}\n${rendered.join('\n')}`;
}

/** The first place of problems that is not in its file. */
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
