import { kernelArgumentFault } from '../../config/rules/sno/kernel-argument.js';
import { type Problem, problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { type Result, failure, problemsOf, success } from '../../core/result.js';

/** Options for the kernel arguments of the live system and of the installed node. */
export interface KernelArgumentOptions {
  readonly liveKarg: readonly string[];
  readonly destKarg: readonly string[];
  readonly console: readonly string[];
}

/** Kernel arguments of the live system and of the installed node. */
export interface ParsedKernelArguments {
  readonly live: readonly string[];
  readonly installed: readonly string[];
}

/** The limit of the live system's boot loader is checked with the image. Problems: media/kernel-arguments. */
export function parseKernelArguments({
  liveKarg,
  destKarg,
  console,
}: KernelArgumentOptions): Result<ParsedKernelArguments> {
  const consoles = console.map(consoleArgument);
  const problems = [...destKarg.flatMap(destinationProblems), ...consoles.flatMap(problemsOf)];
  if (problems.length > 0) return failure(...problems);
  const words = consoles.flatMap((each) => (each.ok ? [each.value] : []));
  return success({ live: [...liveKarg, ...words], installed: [...destKarg, ...words] });
}

function destinationProblems(argument: string): readonly Problem[] {
  const fault = kernelArgumentFault(argument);
  const hint = 'repeat --dest-karg for each argument';
  return fault === undefined
    ? []
    : [problem('media/kernel-arguments', `--dest-karg: ${fault.message}`, { hint })];
}

/**
 * The kernel's argument for a console, such as `console=ttyS0,115200n8` for `ttyS0,115200n8`. Accepts the values of coreos-installer's
 * `--console`. Source: coreos-installer src/cmdline/console.rs. Problems: media/kernel-arguments.
 */
function consoleArgument(spec: string): Result<string> {
  if (/^(?:tty0|hvc0|ttysclp0|tty(?:S|AMA)\d+(?:,\d+(?:[noe][5-8]?)?)?)$/.test(spec))
    return success(`console=${spec}`);
  const hint = 'use a device such as ttyS0,115200n8, ttyAMA0, hvc0 or tty0';
  return failure(problem('media/kernel-arguments', `${quoted(spec)} is not a valid console`, { hint }));
}
