import type { Command } from 'commander';

import { withApplyOptions } from '../../apply/apply-command.js';
import type { GlobalOptions } from '../../options.js';
import { directory } from '../../shared-options.js';
import { only, where } from '../only-option.js';
import type { FleetApplyOptions } from './apply-fleet.js';
import { trustKubeconfig } from '../site-access-options.js';

/** Adds `fleet apply`. */
export function addFleetApply(fleet: Command): void {
  withApplyOptions(
    fleet
      .command('apply')
      .argument(...directory)
      .description('Apply the manifests in post-install/ to the clusters of all sites, as `apply` does.')
      .option(...only)
      .option(...where),
  )
    .option('--jobs <number>', 'number of API servers to contact in parallel', '256')
    .option(...trustKubeconfig)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet apply fleet --only "north-*"\n  sno-install fleet apply fleet --wave 20 --dry-run server\n\n' +
        'Sites without post-install manifests are skipped.\n' +
        'Exit codes: 0 all sites are applied, 1 a site failed or problems in the input, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { applyToFleet } = await import('./apply-fleet.js');
      await applyToFleet(command.optsWithGlobals<GlobalOptions & FleetApplyOptions>());
    });
}
