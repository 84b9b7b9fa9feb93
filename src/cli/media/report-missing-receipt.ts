import type { Problem } from '../../core/problem.js';
import type { GlobalOptions } from '../options.js';
import { exitCodeOf, report, printProblems } from '../output/report.js';
import { isData } from '../output/data.js';

/** Reports a medium that was written without its receipt. */
export function reportMissingReceipt(options: GlobalOptions, problems: readonly Problem[]): void {
  if (isData(options)) {
    report(options, { problems });
    return;
  }
  printProblems(options, problems);
  process.stderr.write('\nthe boot medium was written, but not its receipt\n');
  process.exitCode = exitCodeOf(problems);
}
