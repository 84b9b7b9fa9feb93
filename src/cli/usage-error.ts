import { problem } from '../core/problem.js';
import { renderProblem } from '../core/render-problem.js';
import { styleFor } from './output/colour.js';
import { exitCodes } from './output/exit-codes.js';
import type { GlobalOptions } from './options.js';
import { report } from './output/report.js';
import { isData } from './output/data.js';

/** Reports an invalid command line with a hint. */
export function usageError(options: GlobalOptions, message: string, hint: string): void {
  const found = problem('usage/unknown-argument', message, { hint });
  if (isData(options)) {
    report(options, { problems: [found] });
    return;
  }
  process.stderr.write(`${renderProblem(found, undefined, styleFor(process.stderr))}\n`);
  process.exitCode = exitCodes.usage;
}
