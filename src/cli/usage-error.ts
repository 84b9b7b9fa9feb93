import { problem, type Problem } from '../core/problem.js';
import { renderProblem } from '../core/render-problem.js';
import { styleFor } from './output/colour.js';
import { exitCodes } from './output/exit-codes.js';
import type { GlobalOptions } from './options.js';
import { report } from './output/report.js';
import { isData } from './output/data.js';

/** Reports an invalid command line with a hint. */
export function usageError(options: GlobalOptions, message: string, hint: string): void {
  usageProblem(options, problem('usage/unknown-argument', message, { hint }));
}

/** Reports options or arguments that exclude each other. */
export function conflictError(options: GlobalOptions, message: string, hint: string): void {
  usageProblem(options, problem('usage/conflicting-options', message, { hint }));
}

function usageProblem(options: GlobalOptions, found: Problem): void {
  if (isData(options)) {
    report(options, { problems: [found] });
    return;
  }
  process.stderr.write(`${renderProblem(found, undefined, styleFor(process.stderr))}\n`);
  process.exitCode = exitCodes.usage;
}
