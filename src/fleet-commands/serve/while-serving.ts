import type { GlobalOptions } from '../../command-line/options.js';
import { forPrograms, shows, tellProblems } from '../../command-line/output/report.js';
import { isError, type Problem } from '../../core/problem.js';
import { answeredJson, answeredLine, type Answered } from '../../serving/answers/serve-log.js';

/** Problems as the log is: text, or a line of JSON each. */
export function tellWhileServing(options: GlobalOptions, problems: readonly Problem[]): void {
  if (options.output !== 'json') {
    tellProblems(options, problems);
    return;
  }
  for (const found of problems.filter((each) => isError(each) || shows(options, 'warn')))
    process.stderr.write(`${JSON.stringify({ problem: forPrograms(options.dir, found) })}\n`);
}

/** Where answers are told: as text, or as a line of JSON each. */
export function logOf(options: GlobalOptions): (answered: Answered) => void {
  if (!shows(options, 'info')) return () => undefined;
  const line = options.output === 'json' ? answeredJson : answeredLine;
  return (answered) => {
    process.stderr.write(line(answered));
  };
}
