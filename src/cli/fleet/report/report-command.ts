import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import { directory } from '../../shared-options.js';
import { only, where } from '../only-option.js';
import {
  allowCommands,
  bmcJobs,
  credentialsCommand,
  tokens,
  trustKubeconfig,
} from '../site-access-options.js';
import type { FleetReportOptions } from './report-fleet.js';

export function addFleetReport(fleet: Command): void {
  fleet
    .command('report')
    .argument(...directory)
    .description('Show the signs of life of each site that is not installed, and the next command.')
    .option(...only)
    .option(...where)
    .option('--no-bmc', 'do not contact the BMCs of the sites')
    .option(...credentialsCommand)
    .option(...allowCommands)
    .option(...bmcJobs)
    .option(...tokens)
    .option(...trustKubeconfig)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet report fleet --identity ~/key.txt\n' +
        '  sno-install fleet report fleet --only north-2 --no-bmc\n\n' +
        'Sites are those that failed or run in the newest rollout, reinstallation or upgrade; without one, all. Changes nothing.\n' +
        'Exit codes: 0 no site has failed, 1 a site has failed or problems in the input, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { reportFleet } = await import('./report-fleet.js');
      await reportFleet(command.optsWithGlobals<GlobalOptions & FleetReportOptions>());
    });
}
