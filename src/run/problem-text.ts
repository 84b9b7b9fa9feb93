import { isError, type Problem } from '../core/problem.js';
import { plainStyle, renderProblem, type Style } from '../core/render-problem.js';
import { sourceText } from '../disk/source-text.js';
import { withFilePaths } from '../formats/working-directory.js';
import { printableFields } from '../config/schema/printable-fields.js';

/** The reader's point of view: paths in messages are relative to it. */
export interface ProblemsView {
  /** The directory of the problems' files. */
  readonly dir: string;
  /** The path of a file as the reader sees it. */
  readonly shownAs: (file: string) => string;
  readonly style: Style;
  /** The command never writes, so the summary does not mention it. */
  readonly isReadOnly: boolean;
  /** Files that a failed run keeps, as a clause for the summary. */
  readonly kept: string;
}

type View = Partial<ProblemsView> & Pick<ProblemsView, 'dir'>;

/** All problems with their excerpts, and their counts if there are errors. Empty without problems. */
export function problemsText(problems: readonly Problem[], view: View): string {
  const texts = problemTexts(problems, view);
  return problems.some(isError)
    ? `${texts}\n${problemCounts(problems)}${view.isReadOnly ? '' : whatWasWritten(problems, view.kept)}\n`
    : texts;
}

/** Such as `2 errors, 1 warning`. Empty without problems. */
export function problemCounts(problems: readonly Problem[]): string {
  const errors = problems.filter(isError).length;
  const counts = [
    [errors, 'error'],
    [problems.length - errors, 'warning'],
  ] as const;
  return counts.flatMap(([number, noun]) => (number === 0 ? [] : [count(number, noun)])).join(', ');
}

/** All problems with their excerpts, separated by empty lines. */
export function problemTexts(problems: readonly Problem[], view: View): string {
  const { dir, shownAs, style } = { shownAs: (file: string) => file, style: plainStyle, ...view };
  const texts = problems.map((found) => {
    // A line of a CSV table is shown without excerpt: any cell may be a secret.
    const text = found.at && !found.at.file.endsWith('.csv') ? sourceText(dir, found.at.file) : undefined;
    const source = text === undefined ? undefined : { text, fields: printableFields };
    return renderProblem(withFilePaths(found, shownAs), source, style);
  });
  return texts.map((text) => `${text}\n`).join('\n');
}

/** If a run failed while writing, its problem already names the written files. */
function whatWasWritten(problems: readonly Problem[], kept: string | undefined): string {
  if (kept !== undefined) return `; ${kept}`;
  return problems.some(({ code }) => code === 'dir/unfinished' || code === 'payload/not-written')
    ? ''
    : '; nothing was written';
}

/** A number with its noun: `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

/** Number of sites that a text names; JSON lists all of them. */
const mostNamed = 5;

/** The first site names, and the number of further sites. */
export function firstSites(sites: readonly string[]): string {
  const named = sites.slice(0, mostNamed).join(', ');
  return sites.length > mostNamed ? `${named} and ${sites.length - mostNamed} more` : named;
}
