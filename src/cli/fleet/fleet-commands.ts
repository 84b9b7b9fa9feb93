import type { Command } from 'commander';

import type { AioOptions, GlobalOptions } from '../options.js';
import { directory, offlineFiles, renew, renewBefore, outputOption } from '../shared-options.js';
import { addFleetApply } from './apply/fleet-apply-command.js';
import { addFleetDrift } from './apply/fleet-drift-command.js';
import { addFleetBoot } from './boot/boot-command.js';
import { addFleetDiscover } from './discover/discover-command.js';
import type { CreateFleetOptions, FleetOptions } from './fleet-options.js';
import { jobs, type JobsOption } from './jobs-option.js';
import { only, where } from './only-option.js';
import { allowCommands } from './site-access-options.js';
import { addFleetRollout } from './rollout/rollout-command.js';
import { addFleetReview } from './review/review-commands.js';
import { addFleetWait } from './wait/fleet-wait-command.js';
import { addFleetServe } from '../serve/serve-command.js';
import { addFleetReinstall } from './reinstall/reinstall-command.js';
import { addFleetReport } from './report/report-command.js';
import { addFleetUpgrade } from './upgrade/upgrade-command.js';
import { addFleetStore } from './store/store-commands.js';

/** Adds `fleet` and its subcommands. */
export function addFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('Manage many sites that share one base configuration: fleet.yaml in --dir.');
  fleet
    .command('init')
    .argument(...directory)
    .description('Write the skeleton of a fleet: fleet.yaml, a table, a base and a README.')
    .addHelpText('after', '\nExample:\n  sno-install fleet init fleet')
    .action(async (_dir, _options, command: Command) => {
      const { initFleet } = await import('./init-fleet.js');
      await initFleet(command.optsWithGlobals<GlobalOptions>());
    });
  fleet
    .command('validate')
    .argument(...directory)
    .description('Check the table, the base and all sites, and report every problem. Writes nothing.')
    .option(...only)
    .option(...where)
    .option(...jobs)
    .option(...offlineFiles)
    .addOption(outputOption('github', 'sarif', 'junit'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet validate --dir fleet\n  sno-install fleet validate --dir fleet --only "north-*" --output json\n\n' +
        'docs/fleet.md describes the files of a fleet.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { validateFleet } = await import('./validate-fleet.js');
      await validateFleet(command.optsWithGlobals<GlobalOptions & AioOptions & FleetOptions & JobsOption>());
    });
  fleet
    .command('create')
    .argument(...directory)
    .description('Create all sites in parallel, one directory each. Sites without changes are skipped.')
    .option(...only)
    .option(...where)
    .option('--jobs <number>', 'number of sites to create in parallel (default: number of cores)')
    .option('--fail-fast', 'start no more sites after the first failure')
    .option(
      '--iso <file>',
      'also write an ISO for each site from this CoreOS live ISO, if missing or outdated',
    )
    .option('--force', 'with --iso: accept an ISO of another release')
    .option('--payload <file>', 'with --iso: the payload of the sites, if it is not at payload.file')
    .option('--no-payload', 'with --iso: write ISOs without the payload of the sites')
    .option(...allowCommands)
    .option(...renew)
    .option(...renewBefore)
    .option(
      '--store <url>',
      'upload the encrypted sites to s3://bucket/prefix instead of writing directories',
    )
    .option(
      '--shard <index/number>',
      'with --store: create one part of the sites, such as 0/8 for the first of eight',
    )
    .option('--packed', 'with --shard: read the fleet from the archives of `fleet pack`, not from --dir')
    .option('--fleet-id <id>', 'with --packed: ID of the fleet, as printed by `fleet pack`')
    .option(...offlineFiles)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet create --dir fleet\n  sno-install fleet create --dir fleet --only "north-*" --jobs 2\n' +
        '  sno-install fleet create --dir fleet --renew-before 10d\n  sno-install fleet create --dir fleet --iso rhcos-live.x86_64.iso\n\n' +
        'Run the same command again to continue an interrupted run. docs/fleet-build.md lists the output files.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { createFleet } = await import('./create-fleet.js');
      await createFleet(command.optsWithGlobals<GlobalOptions & AioOptions & CreateFleetOptions>());
    });
  fleet
    .command('status')
    .argument(...directory)
    .description('Show which sites are up to date and why others are not. Does not open state files.')
    .option(...only)
    .option(...where)
    .option(...offlineFiles)
    .addHelpText('after', '\nExample:\n  sno-install fleet status --dir fleet')
    .action(async (_dir, _options, command: Command) => {
      const { fleetStatus } = await import('./fleet-status.js');
      fleetStatus(command.optsWithGlobals<GlobalOptions & AioOptions & FleetOptions>());
    });
  addFleetReview(fleet);
  addFleetServe(fleet);
  addFleetDiscover(fleet);
  addFleetBoot(fleet);
  addFleetRollout(fleet);
  addFleetWait(fleet);
  addFleetReport(fleet);
  addFleetApply(fleet);
  addFleetDrift(fleet);
  addFleetReinstall(fleet);
  addFleetUpgrade(fleet);
  addFleetStore(fleet);
}
