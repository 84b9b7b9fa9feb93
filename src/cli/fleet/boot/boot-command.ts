import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import { only, where } from '../only-option.js';
import type { BootOptions } from './boot-options.js';
import { directory } from '../../shared-options.js';
import {
  allowCommands,
  allowOutdated,
  bmcJobs,
  credentialsCommand,
  media,
  mediaTimeout,
  mediaUrl,
} from '../site-access-options.js';

export function addFleetBoot(fleet: Command): void {
  fleet
    .command('boot')
    .argument(...directory)
    .description('Boot sites from their images with the virtual media of their BMCs (Redfish).')
    .option(...only)
    .option(...where)
    .option(...media)
    .option(...mediaUrl)
    .option(...credentialsCommand)
    .option(...allowCommands)
    .option(...allowOutdated)
    .option(...bmcJobs)
    .option('--timeout <duration>', 'time limit for one BMC request', '60s')
    .option('--site-timeout <duration>', 'time limit for one site', '15m')
    .option(...mediaTimeout)
    .option('--again', 'also boot sites that were booted before')
    .option('--eject', 'eject the media of booted sites; boots nothing')
    .option(
      '--eject-after <duration>',
      'keep running and eject each medium this long after the boot, such as 45m',
    )
    .option(
      '--check',
      'check the login and the required features of the BMCs, with --media for these images; changes nothing',
    )
    .option('--dry-run', 'print the sites that would be booted; contacts no BMC')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet boot --dir fleet --check --identity ~/key.txt\n' +
        '  sno-install fleet boot --dir fleet --media urls.json --identity ~/key.txt\n\n' +
        '`fleet rollout` boots in waves and waits for each. docs/fleet-boot.md describes the requests to a BMC and how its identity is checked.\n' +
        'Exit codes: 0 success, 1 a site failed, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { bootFleet } = await import('./boot-fleet.js');
      await bootFleet(command.optsWithGlobals<GlobalOptions & BootOptions>());
    });
}
