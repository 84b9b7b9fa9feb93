#!/usr/bin/env node
import { CommanderError } from 'commander';

import { exitCodes } from './cli/exit-codes.js';
import { buildProgram } from './cli/program.js';

// A reader that goes away early, such as `head`, is no error of ours.
process.stdout.on('error', () => process.exit(exitCodes.done));

try {
  await buildProgram().parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  } else {
    const { reportBug } = await import('./cli/report-bug.js');
    reportBug(error);
    process.exitCode = exitCodes.bug;
  }
}
