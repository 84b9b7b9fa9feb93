import type { Command } from 'commander';

import type { AioOptions, GlobalOptions } from '../command-line/options.js';
import { collected, offlineFiles } from '../command-line/shared-options.js';
import type { FleetOptions } from './fleet-options.js';

/** Adds `fleet`, which does for a table of sites what other commands do for one. */
export function addFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('Work on many sites that are made of one base: fleet.yaml in --dir.')
    .showHelpAfterError('(`sno-install fleet --help` lists what can be done)');
  fleet
    .command('validate')
    .description('Find every problem of every site, in the table and in the base; write nothing.')
    .option('--only <name>', 'sites of this name, "*" for any part of one; may be repeated', collected, [])
    .option(...offlineFiles)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet validate --dir fleet\n  sno-install fleet validate --dir fleet --only "north-*" --output json\n\n' +
        'docs/fleet.md shows a fleet and its files.',
    )
    .action(async (_options, command: Command) => {
      const { validateFleet } = await import('./validate-fleet.js');
      await validateFleet(command.optsWithGlobals<GlobalOptions & AioOptions & FleetOptions>());
    });
}
