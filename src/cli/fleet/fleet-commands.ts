import type { Command } from 'commander';

import type { AioOptions, GlobalOptions } from '../options.js';
import { offlineFiles, renew, renewBefore } from '../shared-options.js';
import { addFleetBoot } from './boot/boot-command.js';
import type { CreateFleetOptions, FleetOptions } from './fleet-options.js';
import { jobs, type JobsOption } from './jobs-option.js';
import { only } from './only-option.js';
import { addFleetReview } from './review/review-commands.js';
import { addFleetWait } from './wait/fleet-wait-command.js';
import { addFleetStore } from './store/store-commands.js';

/** Adds `fleet` and its subcommands. */
export function addFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('Work on many sites that are made of one base: fleet.yaml in --dir.')
    .showHelpAfterError('(`sno-install fleet --help` lists what can be done)');
  fleet
    .command('validate')
    .description('Find every problem of every site, in the table and in the base; write nothing.')
    .option(...only)
    .option(...jobs)
    .option(...offlineFiles)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet validate --dir fleet\n  sno-install fleet validate --dir fleet --only "north-*" --output json\n\n' +
        'docs/fleet.md shows a fleet and its files.',
    )
    .action(async (_options, command: Command) => {
      const { validateFleet } = await import('./validate-fleet.js');
      await validateFleet(command.optsWithGlobals<GlobalOptions & AioOptions & FleetOptions & JobsOption>());
    });
  fleet
    .command('create')
    .description('Make every site in a folder of its own, on all cores; a second run makes what has changed.')
    .option(...only)
    .option('--jobs <number>', 'sites that are made at a time (default: one for each core)')
    .option('--fail-fast', 'begin no further site after the first that cannot be made')
    .option(...renew)
    .option(...renewBefore)
    .option('--store <url>', 'put the sites, encrypted, into s3://bucket/prefix in the place of folders')
    .option('--shard <index/number>', 'with --store: make one part of so many, the first of eight being 0/8')
    .option(...offlineFiles)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet create --dir fleet\n  sno-install fleet create --dir fleet --only "north-*" --jobs 2\n' +
        '  sno-install fleet create --dir fleet --renew-before 10d\n\n' +
        'An interrupted run is gone on with by the same command. docs/fleet-build.md says what lies where.',
    )
    .action(async (_options, command: Command) => {
      const { createFleet } = await import('./create-fleet.js');
      await createFleet(command.optsWithGlobals<GlobalOptions & AioOptions & CreateFleetOptions>());
    });
  fleet
    .command('status')
    .description('Say which sites are as their files ask, and what became of the others; opens no state.')
    .option(...only)
    .option(...offlineFiles)
    .addHelpText('after', '\nExample:\n  sno-install fleet status --dir fleet')
    .action(async (_options, command: Command) => {
      const { fleetStatus } = await import('./fleet-status.js');
      fleetStatus(command.optsWithGlobals<GlobalOptions & AioOptions & FleetOptions>());
    });
  addFleetReview(fleet);
  addFleetBoot(fleet);
  addFleetWait(fleet);
  addFleetStore(fleet);
}
