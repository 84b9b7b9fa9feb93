import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import { only } from '../only-option.js';
import type { BootOptions } from './boot-options.js';

export function addFleetBoot(fleet: Command): void {
  fleet
    .command('boot')
    .description('Boot sites from their images, by the virtual media of their BMCs (Redfish).')
    .option(...only)
    .option(
      '--media <file>',
      'URLs of the images, as `serve --print-urls --output json` prints them; - for stdin',
    )
    .option('--media-url <url>', 'URL of the images, with {site} where the name of the site belongs')
    .option('--credentials-command <command>', 'command that prints what the file of credentials would hold')
    .option('--jobs <number>', 'how many BMCs are asked side by side', '16')
    .option('--wave <number>', 'how many sites are begun before the first of them have ended')
    .option('--stop-when-failed <limit>', 'begin no more once so many of a wave failed: 5% or 3')
    .option('--timeout <duration>', 'how long a BMC may take for an answer', '60s')
    .option('--site-timeout <duration>', 'how long all of a site may take', '15m')
    .option('--again', 'boot sites too that were booted before')
    .option('--eject', 'take the media out of what was booted; boot nothing')
    .option('--eject-after <duration>', 'stay, and take each medium out so long after its boot, such as 45m')
    .option('--check', 'look whether BMCs can be entered and have what it takes; change nothing')
    .option('--dry-run', 'say what would be done; ask no BMC')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet boot --dir fleet --check --identity ~/key.txt\n' +
        '  sno-install fleet boot --dir fleet --media urls.json --wave 50 --stop-when-failed 5% --identity ~/key.txt\n\n' +
        'docs/fleet-boot.md says what a BMC is asked, and how it is believed.\n' +
        'Exit codes: 0 all of it done, 1 some site was not, 2 usage, 130 stopped by Ctrl-C.',
    )
    .action(async (_options, command: Command) => {
      const { bootFleet } = await import('./boot-fleet.js');
      await bootFleet(command.optsWithGlobals<GlobalOptions & BootOptions>());
    });
}
