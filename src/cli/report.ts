import type { Problem } from '../core/problem.js';
import { isError } from '../core/problem.js';
import { renderProblem } from '../core/render-problem.js';
import { sourceText } from '../disk/source-text.js';
import { shownFields } from '../assets/config/shown-fields.js';
import { exitCodes } from './exit-codes.js';
import type { GlobalOptions } from './options.js';

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
    process.stdout.write(`${JSON.stringify({ ok, problems, ...(ok && json) }, null, 2)}\n`);
  } else {
    reportProblems(options, problems);
    if (ok && text !== undefined && shows(options, 'info')) process.stdout.write(text);
  }
  process.exitCode = exitCodeOf(problems);
}

/** Problems as text on stderr. */
function reportProblems(options: GlobalOptions, problems: readonly Problem[]): void {
  const shown = problems.filter((found) => isError(found) || shows(options, 'warn'));
  process.stderr.write(problemsText(options.dir, shown));
}

/** Problems one after another, each with its excerpt, and at the end how many there are. Empty when there is none. */
export function problemsText(dir: string, problems: readonly Problem[]): string {
  const texts = problems.map((found) => {
    const text = found.at && sourceText(dir, found.at.file);
    return renderProblem(found, text === undefined ? undefined : { text, fields: shownFields });
  });
  const errors = problems.filter(isError).length;
  const end = errors === 0 ? [] : [`${count(errors, 'problem')}${whatWasWritten(problems)}`];
  return [...texts.map((text) => `${text}\n`), ...end.map((line) => `${line}\n`)].join('\n');
}

/** A run that was stopped in the middle of its writing says itself what is in place. */
function whatWasWritten(problems: readonly Problem[]): string {
  return problems.some(({ code }) => code === 'dir/unfinished') ? '' : '; nothing was written';
}

const levels = ['error', 'warn', 'info', 'debug'] as const;

/** Whether messages of a level are wanted. */
export function shows(options: GlobalOptions, level: (typeof levels)[number]): boolean {
  return levels.indexOf(level) <= levels.indexOf(options.logLevel);
}

function exitCodeOf(problems: readonly Problem[]): number {
  const errors = problems.filter(isError);
  if (errors.length === 0) return exitCodes.done;
  if (errors.every(({ code }) => code.startsWith('usage/'))) return exitCodes.usage;
  return errors.some(({ code }) => code === 'dir/not-writable' || code === 'dir/unfinished')
    ? exitCodes.notWritten
    : exitCodes.problems;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
