import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import { addWebhookOptions } from '../webhook-options.js';
import type { ReinstallOptions } from './reinstall-options.js';
import {
  allowCommands,
  bmcJobs,
  credentialsCommand,
  mediaTimeout,
  mediaUrl,
  tokens,
  trustKubeconfig,
} from '../site-access-options.js';

/** Adds `fleet reinstall`. */
export function addFleetReinstall(fleet: Command): void {
  const reinstall = fleet
    .command('reinstall')
    .argument('<site...>', 'site names, with "*" as wildcard')
    .description('Install sites again from their media, after checks and a confirmation.')
    .option('--media <file>', 'file with the image URLs, as printed by `serve --print-urls --output json`')
    .option(...mediaUrl)
    .option(...credentialsCommand)
    .option(...allowCommands)
    .option('--keys <keep|renew>', 'keep the keys of the clusters, or generate new ones', 'keep')
    .option(
      '--confirm <names>',
      'exact names of the sites, separated by commas (default: asks on a terminal)',
    )
    .option('--check', 'only make the checks; changes nothing')
    .option(
      '--until <criterion>',
      'bootstrap-complete, install-complete or post-install-complete',
      'install-complete',
    )
    .option('--site-timeout <duration>', 'time limit for the installation of one site', '3h')
    .option(...bmcJobs)
    .option(...mediaTimeout)
    .option('--retry-failed', 'also try sites that have failed; those that were booted only wait again')
    .option('--again', 'also boot sites that an unfinished run has booted')
    .option(...tokens)
    .option(...trustKubeconfig);
  addWebhookOptions(reinstall)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet reinstall north-1 --dir fleet --media urls.json --identity ~/key.txt\n' +
        '  sno-install fleet reinstall "north-*" --dir fleet --media urls.json --confirm north-1,north-2\n\n' +
        'Destroys the clusters of the sites. Run the same command again to continue. See docs/fleet-rollout.md.\n' +
        'Exit codes: 0 success, 1 a check or a site failed, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (sites: readonly string[], _options, command: Command) => {
      const { reinstallFleet } = await import('./reinstall-fleet.js');
      await reinstallFleet(sites, command.optsWithGlobals<GlobalOptions & ReinstallOptions>());
    });
}
