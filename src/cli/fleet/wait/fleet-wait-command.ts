import type { Command } from 'commander';

import type { GlobalOptions, WaitCondition } from '../../options.js';
import { waitConditionNames, waitConditions } from '../../wait/wait-conditions.js';
import { only } from '../only-option.js';
import type { FleetWaitOptions } from './fleet-wait-options.js';

/** Adds `fleet wait-for` and its subcommands. */
export function addFleetWait(fleet: Command): void {
  const waitFor = fleet
    .command('wait-for')
    .description('Wait for all sites of a fleet, and say how they go on.')
    .showHelpAfterError('(`sno-install fleet wait-for --help` lists what can be waited for)');
  for (const name of waitConditionNames) addWait(waitFor, name);
}

function addWait(waitFor: Command, name: WaitCondition): void {
  const { description, timeout } = waitConditions[name];
  waitFor
    .command(name)
    .description(`Of each site: ${description.replace(/^Wait/, 'wait')}`)
    .option(...only)
    .option('--timeout <duration>', 'how long to wait at most, such as 90m or 6h', timeout)
    .option('--jobs <number>', 'how many APIs are asked side by side', '256')
    .option(
      '--tokens <file>',
      'file of tokens of `serve`, beside which reports of nodes lie, where fleet.yaml does not say',
    )
    .option(
      '--trust-kubeconfig',
      'run the programs that kubeconfigs name, and let them skip the check of servers',
    )
    .addHelpText(
      'after',
      `\nExamples:\n  sno-install fleet wait-for ${name} --dir fleet\n` +
        `  sno-install fleet wait-for ${name} --dir fleet --only "north-*" --timeout 6h --identity ~/key.txt\n\n` +
        'docs/wait-for.md says what is asked, and what reports of nodes are good for.\n' +
        'Exit codes: 0 all reached, 1 some not reached in time or never to be, 2 usage, 130 stopped by Ctrl-C.',
    )
    .action(async (_options, command: Command) => {
      const { waitForFleet } = await import('./wait-for-fleet.js');
      await waitForFleet(name, command.optsWithGlobals<GlobalOptions & FleetWaitOptions>());
    });
}
