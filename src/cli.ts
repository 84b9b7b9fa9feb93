#!/usr/bin/env node
import { CommanderError } from 'commander';

import { exitCodes } from './cli/exit-codes.js';
import { buildProgram } from './cli/program.js';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that goes away early, such as `head`, is no error of ours.
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(
    `sno-install: the results cannot be written to stdout: ${error.code ?? error.message}\n`,
  );
  process.exit(exitCodes.notWritten);
});

const refused: string[] = [];
try {
  await buildProgram((text) => refused.push(text)).parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    const { endRefused } = await import('./cli/command-line-fault.js');
    endRefused(error, refused.join(''), process.argv.slice(2));
  } else {
    const { reportBug } = await import('./cli/report-bug.js');
    reportBug(error);
    process.exitCode = exitCodes.bug;
  }
}
