import type { Command } from 'commander';

import type { AioOptions, GlobalOptions } from '../../options.js';
import { offlineFiles } from '../../shared-options.js';
import { only } from '../only-option.js';
import type { CollectOptions, JobOptions } from '../fleet-options.js';

/** Adds `fleet job` and `fleet collect`. */
export function addFleetStore(fleet: Command): void {
  fleet
    .command('job')
    .description('Print the Kubernetes Job whose pods make the fleet into a store, or create it.')
    .requiredOption('--shards <number>', 'pods that make a part of the table each')
    .requiredOption('--store <url>', 'where the sites are to lie: s3://bucket/prefix')
    .requiredOption('--image <reference>', 'an image that runs sno-install')
    .option(
      '--name <name>',
      'of the Job, and what its ConfigMaps and Secrets begin with',
      'sno-install-fleet',
    )
    .option('--namespace <name>', 'where the Job runs (default: that of whoever applies it)')
    .option('--jobs <number>', 'sites that a pod makes at a time, with a core for each (default: 1)')
    .option('--identity-secret <name>', 'Secret whose key "identity" opens states of sites to be made again')
    .option('--apply', 'create ConfigMaps and Job in the place of printing them')
    .option('--kubeconfig <file>', 'of the cluster for --apply (default: the KUBECONFIG variable)')
    .option('--trust-kubeconfig', 'run the programs that the kubeconfig names')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install fleet job --dir fleet --shards 8 --store s3://sites/spring --image REFERENCE | kubectl apply -f -\n\n' +
        'No secret is printed: what holds one is taken from Secrets that are listed. docs/fleet-build.md has the rest.',
    )
    .action(async (_options, command: Command) => {
      const { makeJob } = await import('./make-job.js');
      await makeJob(command.optsWithGlobals<GlobalOptions & JobOptions>());
    });
  fleet
    .command('collect')
    .description('Bring the sites from a store into their folders, and say which are missing.')
    .requiredOption('--store <url>', 'where `fleet create --store` put them: s3://bucket/prefix')
    .option(...only)
    .option(...offlineFiles)
    .addHelpText(
      'after',
      '\nExample:\n  sno-install fleet collect --dir fleet --store s3://sites/spring\n\n' +
        'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION and AWS_CA_BUNDLE say how the store is\n' +
        'reached. Exit codes: 0 every site is there and as the fleet asks, 1 one is not, 3 the store does not answer.\n' +
        'docs/fleet-build.md has the rest.',
    )
    .action(async (_options, command: Command) => {
      const { collectFleet } = await import('./collect.js');
      await collectFleet(command.optsWithGlobals<GlobalOptions & AioOptions & CollectOptions>());
    });
}
