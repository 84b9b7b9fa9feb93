import type { Command } from 'commander';

import type { GlobalOptions, WaitCondition, WaitForOptions } from '../options.js';
import { waitConditionNames, waitConditions } from './wait-conditions.js';

/** Adds `wait-for` and its subcommands. */
export function addWaitFor(program: Command): void {
  const waitFor = program
    .command('wait-for')
    .description('Wait for a cluster that is being installed, and say how it goes on.')
    .showHelpAfterError('(`sno-install wait-for --help` lists what can be waited for)');
  for (const name of waitConditionNames) addWait(waitFor, name);
}

function addWait(waitFor: Command, name: WaitCondition): void {
  const { description, timeout, says } = waitConditions[name];
  waitFor
    .command(name)
    .description(description)
    .option('--timeout <duration>', 'how long to wait at most, such as 90m or 1h30m', timeout)
    .option('--kubeconfig <file>', 'kubeconfig to use instead of auth/kubeconfig in --dir')
    .option('--trust-kubeconfig', 'run the programs it names, and let it skip the check of the server')
    .addHelpText(
      'after',
      `\nExample:\n  sno-install wait-for ${name} --dir site1\n\n${says}\n` +
        'Exit codes: 0 reached, 1 not reached in time or never to be, 2 usage, 130 stopped by Ctrl-C.',
    )
    .action(async (options: WaitForOptions, command: Command) => {
      const { waitForCluster } = await import('./wait-for.js');
      await waitForCluster(name, options, command.optsWithGlobals<GlobalOptions>());
    });
}
