import type { Command } from 'commander';

import type { GlobalOptions, Waited, WaitForOptions } from '../../command-line/options.js';

interface WaitForHelp {
  readonly description: string;
  readonly timeout: string;
  readonly says: string;
}

/** What can be waited for, and for how long at most unless `--timeout` says otherwise. */
const waits: Readonly<Record<Waited, WaitForHelp>> = {
  'bootstrap-complete': {
    description: 'Wait until the node has rebooted from its disk and runs its own control plane.',
    // openshift-install gives the API 20 minutes and then the ConfigMap 45 (cmd/openshift-install/create.go).
    timeout: '65m',
    says: 'The API comes up, vanishes while the node writes its disk and reboots, and comes back.',
  },
  'install-complete': {
    description: 'Wait until the ClusterVersion is Available and no longer Progressing.',
    // openshift-install gives it 40 minutes and the operators 30 more; a single node pulls everything over one link.
    timeout: '90m',
    says: 'Operators that are not well are listed at the end.',
  },
  'node-ready': {
    description: 'Wait until every registered node is Ready: for a control plane without operators.',
    timeout: '30m',
    says: 'This is what a cluster from `create aio-ignition` reaches.',
  },
};

/** Adds `wait-for` with everything that can be waited for. */
export function addWaitFor(program: Command): void {
  const waitFor = program
    .command('wait-for')
    .description('Wait for a cluster that is being installed, and say how it goes on.')
    .showHelpAfterError('(`sno-install wait-for --help` lists what can be waited for)');
  for (const name of Object.keys(waits).filter(isWaited)) addWait(waitFor, name, waits[name]);
}

function addWait(waitFor: Command, name: Waited, { description, timeout, says }: WaitForHelp): void {
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

function isWaited(name: string): name is Waited {
  return Object.hasOwn(waits, name);
}
