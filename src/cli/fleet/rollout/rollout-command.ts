import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import { directory } from '../../shared-options.js';
import { only, where } from '../only-option.js';
import { addWebhookOptions } from '../webhook-options.js';
import type { RolloutBootOptions } from './rollout-options.js';
import {
  allowCommands,
  allowOutdated,
  bmcJobs,
  credentialsCommand,
  media,
  mediaTimeout,
  mediaUrl,
  tokens,
  trustKubeconfig,
} from '../site-access-options.js';

/** Adds the options of all operations that follow a rollout plan. */
export function addRolloutOptions(command: Command): Command {
  return addWebhookOptions(command)
    .option(...only)
    .option(...where)
    .option('--plan <file>', 'rollout plan (default: rollout.yaml in --dir)')
    .option('--dry-run', 'print the waves, the time window and the sites on hold; contacts nothing')
    .option('--retry-failed', 'also try sites that have failed; those that were started only wait again');
}

export function addFleetRollout(fleet: Command): void {
  addRolloutOptions(
    fleet
      .command('rollout')
      .argument(...directory)
      .description('Boot sites in waves and wait until each wave is installed, as rollout.yaml says.'),
  )
    .option(...media)
    .option(...mediaUrl)
    .option(...credentialsCommand)
    .option(...allowCommands)
    .option(...allowOutdated)
    .option(...bmcJobs)
    .option('--timeout <duration>', 'time limit for one BMC request', '60s')
    .option(...mediaTimeout)
    .option(...tokens)
    .option(...trustKubeconfig)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet rollout --dir fleet --dry-run\n' +
        '  sno-install fleet rollout --dir fleet --media urls.json --identity ~/key.txt\n\n' +
        'Run the same command again to continue after Ctrl-C or a crash. docs/fleet-rollout.md describes the plan.\n' +
        'Exit codes: 0 success, 1 a site failed, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { rolloutFleet } = await import('./rollout-fleet.js');
      await rolloutFleet(command.optsWithGlobals<GlobalOptions & RolloutBootOptions>());
    });
}
