import { type Command, Option } from 'commander';

import { collected, offlineFiles } from '../command-line/shared-options.js';
import type { ComparingFleet, FleetDiffOptions, FleetGoldenOptions } from './review-options.js';

/** The program takes this option, since options may stand before and after a command; here it says what these take. */
function outputOption(): Option {
  return new Option('--output <format>', 'form of the results').choices(['text', 'json', 'markdown']);
}

const only = [
  '--only <name>',
  'sites of this name, "*" for any part of one; may be repeated',
  collected,
  [] as readonly string[],
] as const;

/** Adds the commands of `fleet` that show what is made of sites, and what a change does to them. */
export function addFleetReview(fleet: Command): void {
  fleet
    .command('golden')
    .description(
      'Write what is made of all sites as one tree to commit: what they share stands once; no secret.',
    )
    .requiredOption('--out <dir>', 'where the tree is written; an earlier one is replaced (required)')
    .option('--check', 'write nothing; say in what the tree differs from what is made now')
    .option(...only)
    .option(...offlineFiles)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet golden --dir fleet --out golden\n' +
        '  sno-install fleet golden --dir fleet --out golden --check --output markdown\n\n' +
        'Keys are stand-ins and the time is fixed: nothing of a tree boots. docs/fleet-review.md shows one.\n' +
        'Exit codes: 0 done, or no difference, 1 a difference, or the input has problems, 2 usage, 3 not written.',
    )
    .action(async (_options, command: Command) => {
      const { goldenOfFleet } = await import('./golden-command.js');
      await goldenOfFleet(command.optsWithGlobals<ComparingFleet & FleetGoldenOptions>());
    });
  fleet
    .command('diff')
    .argument('[folder...]', 'before and after: fleets, or trees that `fleet golden` wrote')
    .description('Say what differs on the nodes; what differs in the same way in many sites is told once.')
    .option(
      '--against <revision>',
      'compare a folder, that of --dir without one, with itself in a Git revision',
    )
    .option(...only)
    .option(...offlineFiles)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet diff --dir fleet --against main\n' +
        '  sno-install fleet diff golden --against origin/main --output markdown\n\n' +
        'Sites are made on both sides, with stand-ins for keys; one of which nothing was changed is not.\n' +
        'Exit codes: 0 no difference, 1 a difference, or the input has problems, 2 usage.',
    )
    .action(async (folders: readonly string[], _options, command: Command) => {
      const { diffOfFleets } = await import('./diff-command.js');
      await diffOfFleets(folders, command.optsWithGlobals<ComparingFleet & FleetDiffOptions>());
    });
}
