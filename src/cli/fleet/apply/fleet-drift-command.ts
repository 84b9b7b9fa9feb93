import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import { directory } from '../../shared-options.js';
import { only, where } from '../only-option.js';
import { allowCommands, trustKubeconfig } from '../site-access-options.js';
import type { DriftOptions } from './drift-fleet.js';

/** Adds `fleet drift`. */
export function addFleetDrift(fleet: Command): void {
  fleet
    .command('drift')
    .argument(...directory)
    .description('Compare the running clusters of sites with their configuration. Changes no cluster.')
    .option(...only)
    .option(...where)
    .option('--metrics <file>', 'also write the numbers to this file, in the OpenMetrics format')
    .option('--jobs <number>', 'number of API servers to contact in parallel', '256')
    .option(...trustKubeconfig)
    .option(...allowCommands)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet drift fleet\n  sno-install fleet drift fleet --metrics /var/lib/node_exporter/sno.prom\n\n' +
        'Each cluster is contacted once; `fleet apply --diff` shows the fields. Values that the cluster sets itself, such as\n' +
        'a status or defaults, are no difference.\n' +
        'Exit codes: 0 no differences, 1 differences or a site that could not be compared, 2 usage error, 3 the file could not\n' +
        'be written, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { compareFleet } = await import('./drift-fleet.js');
      await compareFleet(command.optsWithGlobals<GlobalOptions & DriftOptions>());
    });
}
