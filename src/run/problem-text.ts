import { isError, type Problem } from '../core/problem.js';
import { plainStyle, renderProblem, type Style } from '../core/render-problem.js';
import { sourceText } from '../disk/source-text.js';
import { placed } from '../formats/from-here.js';
import { shownFields } from '../config/schema/shown-fields.js';

/** From where problems are looked at: the same file has another path for each reader. */
export interface ProblemsView {
  /** The directory that the files of problems are relative to. */
  readonly dir: string;
  /** How a file of the directory is named to the reader. */
  readonly shownAs: (file: string) => string;
  readonly style: Style;
}

type View = Partial<ProblemsView> & Pick<ProblemsView, 'dir'>;

/** Problems one after another, each with its excerpt, and at the end how many there are. Empty when there is none. */
export function problemsText(problems: readonly Problem[], view: View): string {
  const errors = problems.filter(isError).length;
  const texts = problemTexts(problems, view);
  return errors === 0 ? texts : `${texts}\n${count(errors, 'problem')}${whatWasWritten(problems)}\n`;
}

/** Problems one after another, each with its excerpt, an empty line between two. */
export function problemTexts(problems: readonly Problem[], view: View): string {
  const { dir, shownAs, style } = { shownAs: (file: string) => file, style: plainStyle, ...view };
  const texts = problems.map((found) => {
    // A line of a table is no field with its value, and any of its cells may be a secret.
    const text = found.at && !found.at.file.endsWith('.csv') ? sourceText(dir, found.at.file) : undefined;
    const source = text === undefined ? undefined : { text, fields: shownFields };
    return renderProblem(placed(found, shownAs), source, style);
  });
  return texts.map((text) => `${text}\n`).join('\n');
}

/** A run that was stopped in the middle of its writing says itself what is in place. */
function whatWasWritten(problems: readonly Problem[]): string {
  return problems.some(({ code }) => code === 'dir/unfinished') ? '' : '; nothing was written';
}

/** A number with its noun: `1 problem`, `2 problems`. */
export function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
