import type { Command } from 'commander';

import type { GlobalOptions, WaitForOptions } from '../options.js';
import type { WaitCondition } from '../../remote/kubernetes/goals/wait-goal.js';
import { waitConditionNames, waitConditions } from './wait-conditions.js';
import { directory } from '../shared-options.js';

/** Adds `wait-for` and its subcommands. */
export function addWaitFor(program: Command): void {
  const waitFor = program
    .command('wait-for')
    .description('Wait for an installation to reach a state and print its progress.');
  for (const name of waitConditionNames) addWait(waitFor, name);
}

function addWait(waitFor: Command, name: WaitCondition): void {
  const { description, timeout, says } = waitConditions[name];
  waitFor
    .command(name)
    .argument(...directory)
    .description(description)
    .option('--timeout <duration>', 'time limit, such as 90m or 1h30m', timeout)
    .option('--kubeconfig <file>', 'kubeconfig to use instead of auth/kubeconfig in --dir')
    .option(
      '--trust-kubeconfig',
      'allow programs, files, a proxy and insecure-skip-tls-verify in the kubeconfig',
    )
    .addHelpText(
      'after',
      `\nExample:\n  sno-install wait-for ${name} --dir site1\n\n${says}\n` +
        'Exit codes: 0 reached, 1 failed or timed out, 2 usage error, 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, options: WaitForOptions, command: Command) => {
      const { waitForCluster } = await import('./wait-for.js');
      await waitForCluster(name, options, command.optsWithGlobals<GlobalOptions>());
    });
}
