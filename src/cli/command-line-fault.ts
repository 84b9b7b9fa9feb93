import type { CommanderError } from 'commander';

import { problem } from '../core/problem.js';
import { exitCodes } from '../command-line/output/exit-codes.js';
import { foreignCommandHint } from './foreign-commands.js';
import { report } from '../command-line/output/report.js';
import { withoutSecretArguments } from '../command-line/without-secret-arguments.js';

/**
 * Ends a command line that commander refused: what it had to say goes to stderr, or, where programs read the results, into one
 * object on stdout.
 */
export function endRefused(error: CommanderError, said: string, args: readonly string[]): void {
  const instead = foreignCommandHint(args);
  if (!wantsJson(args)) {
    const shown = withoutSecretArguments(said, args);
    process.stderr.write(instead === undefined ? shown : `${shown}   = hint: ${instead}\n`);
    process.exitCode = exitCodes.usage;
    return;
  }
  const [first = '', ...rest] =
    error.code === 'commander.help'
      ? [missingCommand]
      : withoutSecretArguments(error.message, args).split('\n');
  const hint = rest.map((line) => line.replace(/^\(|\)$/g, '')).join('; ');
  const found = problem('usage/unknown-argument', first.replace(/^error: /, ''), {
    hint: instead ?? (hint === '' ? '`sno-install --help` lists commands and options' : hint),
  });
  report({ dir: '.', logLevel: 'info', output: 'json' }, { problems: [found] });
}

const missingCommand = 'a command is missing';

/** Whether programs read the results, as far as a command line that cannot be read says so. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.some(
    (arg, index) => arg === '--output=json' || (arg === '--output' && options[index + 1] === 'json'),
  );
}
