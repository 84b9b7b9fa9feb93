import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import { directory, outputOption } from '../../shared-options.js';
import { only, where } from '../only-option.js';
import type { DiscoverOptions } from './discover-fleet.js';
import { allowCommands, bmcJobs, credentialsCommand } from '../site-access-options.js';

/** Adds `fleet discover`. */
export function addFleetDiscover(fleet: Command): void {
  fleet
    .command('discover')
    .argument(...directory)
    .description('Read the hardware of the sites from their BMCs (Redfish) and compare it with the table.')
    .option(...only)
    .option(...where)
    .option('--write', 'fill empty cells and add missing columns of the table; cells with a value are kept')
    .option(...credentialsCommand)
    .option(...allowCommands)
    .option(...bmcJobs)
    .option('--timeout <duration>', 'time limit for one BMC request', '60s')
    .option('--site-timeout <duration>', 'time limit for one site', '15m')
    .addOption(outputOption('csv'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet discover fleet --identity ~/key.txt\n' +
        '  sno-install fleet discover fleet --only "north-*" --write --identity ~/key.txt\n\n' +
        'Addresses, logins and certificates of the BMCs are those of `fleet boot`: docs/fleet-boot.md.\n' +
        'Exit codes: 0 success, 1 a BMC failed or differs from the table, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { discoverFleet } = await import('./discover-fleet.js');
      await discoverFleet(command.optsWithGlobals<GlobalOptions & DiscoverOptions>());
    });
}
