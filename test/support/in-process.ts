import { vi } from 'vitest';

import { runCommandLine } from '../../src/cli/main.js';

/** Exit code and output of a command. */
export interface CommandOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Working directory and environment of a command. */
export interface ProcessOptions {
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Working directory, environment and arguments belong to the whole process, so commands run one at a time. */
let isRunning = false;

/**
 * Runs a command line in this process, in milliseconds instead of a third of a second. Its environment contains only the given
 * variables. Tests of signals, streams and standard input need a separate process: `sno` of command.ts.
 */
export async function snoInProcess(
  args: readonly string[],
  { cwd, variables }: ProcessOptions = {},
): Promise<CommandOutput> {
  if (isRunning) throw new Error('two commands run at the same time in one process');
  const printed = { stdout: '', stderr: '' };
  const { exitCode, argv, env } = process;
  const cwdBefore = process.cwd();
  isRunning = true;
  process.argv = [process.execPath, 'sno-install', ...args];
  process.exitCode = 0;
  process.env = { PATH: env['PATH'], HOME: '/nonexistent', ...variables };
  if (cwd !== undefined) process.chdir(cwd);
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text.toString();
      return true;
    }),
  );
  try {
    await runCommandLine(args);
    return { code: process.exitCode, ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(cwdBefore);
    Object.assign(process, { exitCode, argv, env });
    isRunning = false;
  }
}
