import { constants } from 'node:os';

import { CommanderError } from 'commander';

import { Interrupted } from '../core/interrupted.js';
import { exitCodes } from './output/exit-codes.js';
import { buildProgram } from './program.js';

/**
 * Runs a command line such as `['validate', '--dir', 'site1']`. Uses the streams of this process and sets `process.exitCode`.
 * Never throws: unexpected errors are reported as bugs.
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  const refused: string[] = [];
  try {
    await buildProgram((text) => refused.push(text)).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      // Commander has already printed the help or version.
      process.exitCode = exitCodes.done;
    } else if (error instanceof Interrupted) {
      process.exitCode = 128 + constants.signals.SIGINT;
    } else if (error instanceof CommanderError) {
      const { reportCommandLineError } = await import('./command-line-error.js');
      reportCommandLineError(error, refused.join(''), args);
    } else {
      const { reportBug } = await import('./output/report-bug.js');
      reportBug(error);
      process.exitCode = exitCodes.bug;
    }
  }
}
