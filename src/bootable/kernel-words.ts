import { kernelArgumentFault } from '../config/rules/sno/kernel-argument.js';
import { problem, type Problem } from '../core/problem.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { consoleArgument } from '../media/console-argument.js';

/** What the kernels of the live system and of the installed node are told on the command line. */
export interface KernelArgumentOptions {
  readonly liveKarg: readonly string[];
  readonly destKarg: readonly string[];
  readonly console: readonly string[];
}

/** The arguments of both kernels. */
export interface KernelWords {
  readonly live: readonly string[];
  readonly installed: readonly string[];
}

/** What the options say. What the live system's boot loader takes is judged with the image. Problems: media/kernel-arguments. */
export function kernelWordsOf({ liveKarg, destKarg, console }: KernelArgumentOptions): Result<KernelWords> {
  const consoles = console.map(consoleArgument);
  const problems = [...destKarg.flatMap(destinationProblems), ...consoles.flatMap(problemsOf)];
  if (problems.length > 0) return failure(...problems);
  const words = consoles.flatMap((each) => (each.ok ? [each.value] : []));
  return success({ live: [...liveKarg, ...words], installed: [...destKarg, ...words] });
}

function destinationProblems(argument: string): readonly Problem[] {
  const fault = kernelArgumentFault(argument);
  const hint = 'give --dest-karg once for each argument';
  return fault === undefined
    ? []
    : [problem('media/kernel-arguments', `--dest-karg: ${fault.message}`, { hint })];
}
