import { vi } from 'vitest';

import { runCommandLine } from '../../src/cli/main.js';

/** What a command left behind. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command line within this process: milliseconds where a process of its own takes a quarter of a second. It shares the
 * working directory and the environment of the tests.
 */
export async function snoHere(args: readonly string[]): Promise<Printed> {
  const printed = { stdout: '', stderr: '' };
  const [codeBefore, argvBefore] = [process.exitCode, process.argv];
  process.argv = [process.execPath, 'sno-install', ...args];
  process.exitCode = 0;
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
    process.exitCode = codeBefore;
    process.argv = argvBefore;
  }
}
