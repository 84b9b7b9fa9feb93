import type { Problem } from '../../core/problem.js';
import { isError } from '../../core/problem.js';
import type { GlobalOptions } from '../options.js';
import { withoutSecretArguments } from '../without-secret-arguments.js';
import { styleFor } from './colour.js';
import { exitCodes } from './exit-codes.js';
import { fromWorkingDirectory, pathFromHere } from '../../formats/from-here.js';
import { problemsText, problemTexts } from '../../run/problem-text.js';

/** What a command has to say, in the form the user asked for. */
export interface Report {
  readonly problems: readonly Problem[];
  /** The result for people; printed when there is no error. */
  readonly text?: string;
  /** The members of the result for programs. */
  readonly json?: Readonly<Record<string, unknown>>;
}

/**
 * Prints problems to stderr and the result to stdout, and sets the exit code. With `--output json` everything is one
 * object on stdout: `{ ok, problems, … }`.
 */
export function report(options: GlobalOptions, { problems, text, json }: Report): void {
  const ok = !problems.some(isError);
  if (options.output === 'json') {
    const shown = problems.map((found) => forPrograms(options.dir, found));
    process.stdout.write(`${JSON.stringify({ ok, problems: shown, ...(ok && json) }, null, 2)}\n`);
  } else {
    reportProblems(options, problems);
    if (ok && text !== undefined && shows(options, 'info')) process.stdout.write(text);
  }
  process.exitCode = exitCodeOf(problems);
}

/** The same of a command that looks at something: what it found is printed whatever is wrong with it, and the exit code says that. */
export function reportFound(options: GlobalOptions, { problems, text, json }: Required<Report>): void {
  if (options.output === 'json') {
    const shown = problems.map((found) => forPrograms(options.dir, found));
    const ok = !problems.some(isError);
    process.stdout.write(`${JSON.stringify({ ok, problems: shown, ...json }, null, 2)}\n`);
  } else {
    tellProblems(options, problems);
    if (shows(options, 'info')) process.stdout.write(text);
  }
  process.exitCode = exitCodeOf(problems);
}

/** A problem as JSON and the formats of other programs give it: with its path from the working directory. */
export function forPrograms(dir: string, found: Problem): Problem {
  return withoutPasted(fromWorkingDirectory(dir, found));
}

/** A problem that repeats an argument does so without what was pasted by mistake: nobody can tell a path that is none from a secret. */
function withoutPasted(found: Problem): Problem {
  const args = process.argv.slice(2);
  const hidden = (text: string): string => withoutSecretArguments(text, args);
  const { message, hint } = found;
  return { ...found, message: hidden(message), ...(hint !== undefined && { hint: hidden(hint) }) };
}

/** Problems as text on stderr, with how many there are and what was written. */
export function reportProblems(options: GlobalOptions, problems: readonly Problem[]): void {
  process.stderr.write(shownProblems(options, problems, problemsText));
}

/** Problems as text on stderr, of a command that ends in words of its own. */
export function tellProblems(options: GlobalOptions, problems: readonly Problem[]): void {
  process.stderr.write(shownProblems(options, problems, problemTexts));
}

function shownProblems(
  options: GlobalOptions,
  problems: readonly Problem[],
  textOf: typeof problemsText,
): string {
  const shown = problems.filter((found) => isError(found) || shows(options, 'warn')).map(withoutPasted);
  const { dir } = options;
  const shownAs = (file: string): string => pathFromHere(dir, file);
  return textOf(shown, { dir, shownAs, style: styleFor(process.stderr) });
}

const levels = ['error', 'warn', 'info', 'debug'] as const;

/** Whether messages of a level are wanted. */
export function shows(options: GlobalOptions, level: (typeof levels)[number]): boolean {
  return levels.indexOf(level) <= levels.indexOf(options.logLevel);
}

/** The exit code that problems call for. */
export function exitCodeOf(problems: readonly Problem[]): number {
  const errors = problems.filter(isError);
  if (errors.length === 0) return exitCodes.done;
  if (errors.every(({ code }) => code.startsWith('usage/'))) return exitCodes.usage;
  return errors.some(({ code }) => unwritten.has(code)) ? exitCodes.notWritten : exitCodes.problems;
}

/** Of outputs that found no place, whatever they are made of. */
const unwritten: ReadonlySet<string> = new Set(['dir/not-writable', 'dir/unfinished', 'store/unreachable']);
