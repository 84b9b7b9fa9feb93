import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import { directory } from '../../shared-options.js';
import { addRolloutOptions } from '../rollout/rollout-command.js';
import type { UpgradeOptions } from './upgrade-inputs.js';
import { allowCommands, trustKubeconfig } from '../site-access-options.js';

/** Adds `fleet upgrade`. */
export function addFleetUpgrade(fleet: Command): void {
  addRolloutOptions(
    fleet
      .command('upgrade')
      .argument(...directory)
      .description('Upgrade the clusters of sites in waves and wait until each wave has the release.')
      .requiredOption('--to <release>', 'pull spec of the release, with a tag, a digest or both'),
  )
    .option('--preflight', 'only check whether the selected clusters can be upgraded; needs no plan')
    .option('--jobs <number>', 'number of API servers to contact in parallel', '64')
    .option(...trustKubeconfig)
    .option(...allowCommands)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet upgrade fleet --to registry.example.com/ocp/release:4.21.9-x86_64 --preflight\n' +
        '  sno-install fleet upgrade fleet --to registry.example.com/ocp/release:4.21.9-x86_64 --identity ~/key.txt\n\n' +
        'Run the same command again to continue after Ctrl-C or a crash. docs/fleet-rollout.md describes the checks.\n' +
        'Exit codes: 0 success, 1 a site failed, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { upgradeFleet } = await import('./upgrade-fleet.js');
      await upgradeFleet(command.optsWithGlobals<GlobalOptions & UpgradeOptions>());
    });
}
