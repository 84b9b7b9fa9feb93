import { problem } from '../core/problem.js';
import { renderProblem } from '../core/render-problem.js';
import { exitCodes } from './exit-codes.js';

/** Says what is wrong with the command line and what to type instead. */
export function usageError(message: string, hint: string): void {
  process.stderr.write(`${renderProblem(problem('usage/unknown-argument', message, { hint }))}\n`);
  process.exitCode = exitCodes.usage;
}
