import { type Command, Option } from 'commander';

import { withApplyOptions } from '../../apply/apply-command.js';
import type { GlobalOptions } from '../../options.js';
import { directory } from '../../shared-options.js';
import { only, where } from '../only-option.js';
import { addWebhookOptions } from '../webhook-options.js';
import type { FleetApplyOptions } from './open-running-sites.js';
import { allowCommands, trustKubeconfig } from '../site-access-options.js';

/** Adds `fleet apply`. */
export function addFleetApply(fleet: Command): void {
  const command = withApplyOptions(
    fleet
      .command('apply')
      .argument(...directory)
      .description('Apply the configuration of sites to their running clusters, as `apply` does.')
      .option(...only)
      .option(...where),
  )
    .addOption(
      new Option('--diff', 'show how the clusters differ from the configuration; change nothing').conflicts(
        'dryRun',
      ),
    )
    .addOption(
      new Option(
        '--plan <file>',
        'apply in the waves and windows of this rollout plan, such as fleet/rollout.yaml, and wait for each wave',
      ).conflicts(['dryRun', 'diff']),
    )
    .option('--retry-failed', 'with --plan: also try sites that have failed')
    .option('--jobs <number>', 'number of API servers to contact in parallel', '256')
    .option(...trustKubeconfig)
    .option(...allowCommands);
  addWebhookOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet apply fleet --only "north-*"\n  sno-install fleet apply fleet --diff\n  sno-install fleet apply fleet --plan fleet/rollout.yaml\n  sno-install fleet apply fleet --wave 20 --dry-run server\n\n' +
        'Sites without the wave of --wave are skipped.\n' +
        'Exit codes: 0 all sites are applied, or no differences with --diff; 1 a site failed, differences, or problems in the\n' +
        'input; 2 usage error; 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { applyToFleet } = await import('./apply-fleet.js');
      await applyToFleet(command.optsWithGlobals<GlobalOptions & FleetApplyOptions>());
    });
}
