import type { Command } from 'commander';

import type { AioOptions, GlobalOptions } from '../../options.js';
import { directory, offlineFiles } from '../../shared-options.js';
import { only, where } from '../only-option.js';
import type { CollectOptions, JobOptions } from '../fleet-options.js';

/** Adds `fleet job` and `fleet collect`. */
export function addFleetStore(fleet: Command): void {
  fleet
    .command('job')
    .argument(...directory)
    .description('Print or create a Kubernetes Job that creates the sites of a fleet in an S3 store.')
    .requiredOption('--shards <number>', 'number of pods; each creates one part of the sites')
    .requiredOption('--store <url>', 'destination of the sites: s3://bucket/prefix')
    .requiredOption('--image <reference>', 'image that runs sno-install')
    .option('--name <name>', 'name of the Job, and prefix of its ConfigMaps and Secrets', 'sno-install-fleet')
    .option('--namespace <name>', 'namespace of the Job (default: the current namespace)')
    .option('--jobs <number>', 'sites that a pod creates in parallel, with one core each (default: 1)')
    .option('--identity-secret <name>', 'Secret with the key "identity", which decrypts existing state files')
    .option('--apply', 'create the ConfigMaps and the Job instead of printing them')
    .option('--kubeconfig <file>', 'kubeconfig for --apply (default: $KUBECONFIG)')
    .option('--trust-kubeconfig', 'run programs named in the kubeconfig')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install fleet job --dir fleet --shards 8 --store s3://sites/spring --image REFERENCE | kubectl apply -f -\n\n' +
        'No secrets are printed: the Job refers to Secrets, which are listed. See docs/fleet-build.md.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { makeJob } = await import('./make-job.js');
      await makeJob(command.optsWithGlobals<GlobalOptions & JobOptions>());
    });
  fleet
    .command('collect')
    .argument(...directory)
    .description('Download the sites from a store to their directories and report missing ones.')
    .requiredOption('--store <url>', 'store of `fleet create --store`: s3://bucket/prefix')
    .option(...only)
    .option(...where)
    .option(...offlineFiles)
    .addHelpText(
      'after',
      '\nExample:\n  sno-install fleet collect --dir fleet --store s3://sites/spring\n\n' +
        'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION and AWS_CA_BUNDLE configure the access to the\n' +
        'store. Exit codes: 0 all sites are present and up to date, 1 a site is not, 3 the store does not answer.\n' +
        'See docs/fleet-build.md.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { collectFleet } = await import('./collect.js');
      await collectFleet(command.optsWithGlobals<GlobalOptions & AioOptions & CollectOptions>());
    });
}
