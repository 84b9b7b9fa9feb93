import type { Problem } from '../../core/problem.js';
import { isError } from '../../core/problem.js';
import type { GlobalOptions } from '../options.js';
import { maskSecretArguments } from '../mask-arguments.js';
import { styleFor } from './colour.js';
import { exitCodes } from './exit-codes.js';
import { relativeToWorkingDirectory, pathFromWorkingDirectory } from '../../formats/working-directory.js';
import { problemsText, problemTexts } from '../../run/problem-text.js';
import { isData, printData } from './data.js';

/** The result of a command. */
export interface Report {
  readonly problems: readonly Problem[];
  /** Result as text; printed unless there is an error. */
  readonly text?: string;
  /** Additional members of the JSON result. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** Files that a failed run keeps, as a clause for the summary in the place of "nothing was written". */
  readonly kept?: string;
}

/**
 * Prints problems to stderr and the result to stdout, and sets the exit code. With `--output json`, prints one object to stdout:
 * `{ ok, problems, … }`.
 */
export function report(options: GlobalOptions, { problems, text, json, kept }: Report): void {
  const ok = !problems.some(isError);
  if (isData(options)) {
    const shown = problems.map((found) => machineReadable(options.dir, found));
    printData(options, { ok, problems: shown, ...(ok && json) });
  } else {
    reportProblems(options, problems, kept);
    if (ok && text !== undefined && isLogged(options, 'info')) process.stdout.write(text);
  }
  process.exitCode = exitCodeOf(problems);
}

/** Like `report`, but prints the result even if there are errors. For commands that inspect something. */
export function reportResult(
  options: GlobalOptions,
  { problems, text, json }: Required<Omit<Report, 'kept'>>,
): void {
  if (isData(options)) {
    const shown = problems.map((found) => machineReadable(options.dir, found));
    const ok = !problems.some(isError);
    printData(options, { ok, problems: shown, ...json });
  } else {
    printProblems(options, problems);
    if (isLogged(options, 'info')) process.stdout.write(text);
  }
  process.exitCode = exitCodeOf(problems);
}

/** Prepares a problem for machine-readable output: paths are relative to the working directory. */
export function machineReadable(dir: string, found: Problem): Problem {
  return maskArguments(relativeToWorkingDirectory(dir, found));
}

/** Masks arguments in a message that may be secrets pasted by mistake. */
function maskArguments(found: Problem): Problem {
  const args = process.argv.slice(2);
  const hidden = (text: string): string => maskSecretArguments(text, args);
  const { message, hint } = found;
  return { ...found, message: hidden(message), ...(hint !== undefined && { hint: hidden(hint) }) };
}

/** Prints problems to stderr, with a summary line. */
export function reportProblems(options: GlobalOptions, problems: readonly Problem[], kept?: string): void {
  process.stderr.write(
    shownProblems(options, problems, (shown, view) =>
      problemsText(shown, { ...view, ...(kept !== undefined && { kept }) }),
    ),
  );
}

/** Prints problems to stderr without the summary line. */
export function printProblems(options: GlobalOptions, problems: readonly Problem[]): void {
  process.stderr.write(shownProblems(options, problems, problemTexts));
}

function shownProblems(
  options: GlobalOptions,
  problems: readonly Problem[],
  textOf: typeof problemsText,
): string {
  const shown = problems.filter((found) => isError(found) || isLogged(options, 'warn')).map(maskArguments);
  const { dir, isReadOnly = false } = options;
  const shownAs = (file: string): string => pathFromWorkingDirectory(dir, file);
  return textOf(shown, { dir, shownAs, style: styleFor(process.stderr), isReadOnly });
}

const levels = ['error', 'warn', 'info', 'debug'] as const;

/** Whether the log level includes messages of this level. */
export function isLogged(options: GlobalOptions, level: (typeof levels)[number]): boolean {
  return levels.indexOf(level) <= levels.indexOf(options.logLevel);
}

export function exitCodeOf(problems: readonly Problem[]): number {
  const errors = problems.filter(isError);
  if (errors.length === 0) return exitCodes.done;
  if (errors.every(({ code }) => code.startsWith('usage/'))) return exitCodes.usage;
  return errors.some(({ code }) => unwritten.has(code)) ? exitCodes.notWritten : exitCodes.problems;
}

/** Codes of outputs that could not be written. */
const unwritten: ReadonlySet<string> = new Set([
  'dir/not-writable',
  'dir/unfinished',
  'store/unreachable',
  'media/release-metadata',
  'media/download',
  'media/checksum',
  'payload/pull',
  'payload/not-written',
]);
