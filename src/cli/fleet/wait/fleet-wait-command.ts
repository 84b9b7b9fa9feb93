import type { Command } from 'commander';

import type { GlobalOptions } from '../../options.js';
import type { WaitCondition } from '../../../remote/kubernetes/goals/wait-goal.js';
import { waitConditionNames, waitConditions } from '../../wait/wait-conditions.js';
import { only, where } from '../only-option.js';
import type { FleetWaitOptions } from './fleet-wait-options.js';
import { directory } from '../../shared-options.js';
import { tokens, trustKubeconfig } from '../site-access-options.js';

/** Adds `fleet wait-for` and its subcommands. */
export function addFleetWait(fleet: Command): void {
  const waitFor = fleet
    .command('wait-for')
    .description('Wait for all sites of a fleet and print their progress.');
  for (const name of waitConditionNames) addWait(waitFor, name);
}

function addWait(waitFor: Command, name: WaitCondition): void {
  const { description, timeout } = waitConditions[name];
  waitFor
    .command(name)
    .argument(...directory)
    .description(`For each site: ${description.replace(/^Wait/, 'wait')}`)
    .option(...only)
    .option(...where)
    .option('--timeout <duration>', 'time limit, such as 90m or 6h', timeout)
    .option('--jobs <number>', 'number of API servers to contact in parallel', '256')
    .option(...tokens)
    .option(...trustKubeconfig)
    .addHelpText(
      'after',
      `\nExamples:\n  sno-install fleet wait-for ${name} --dir fleet\n` +
        `  sno-install fleet wait-for ${name} --dir fleet --only "north-*" --timeout 6h --identity ~/key.txt\n\n` +
        'docs/wait-for.md describes the API requests and the node reports.\n' +
        'Exit codes: 0 all sites reached the state, 1 a site failed or timed out, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { waitForFleet } = await import('./wait-for-fleet.js');
      await waitForFleet(name, command.optsWithGlobals<GlobalOptions & FleetWaitOptions>());
    });
}
