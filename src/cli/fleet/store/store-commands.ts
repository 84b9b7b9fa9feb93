import type { Command } from 'commander';

import type { AioOptions, GlobalOptions } from '../../options.js';
import { collectValues, directory, offlineFiles } from '../../shared-options.js';
import { only, where } from '../only-option.js';
import { allowCommands } from '../site-access-options.js';
import type { CollectOptions, JobOptions, PackOptions } from '../fleet-options.js';

/** Adds `fleet pack`, `fleet job` and `fleet collect`. */
export function addFleetStore(fleet: Command): void {
  fleet
    .command('pack')
    .argument(...directory)
    .description('Check a fleet and write one encrypted archive for each shard to an S3 store.')
    .requiredOption('--shards <number>', 'number of archives, one for each pod')
    .requiredOption('--store <url>', 'store of the fleet: s3://bucket/prefix')
    .option(
      '--recipient <recipient>',
      'age recipient (age1…) of the archives, may be repeated (default: recipients of fleet.yaml)',
      collectValues,
    )
    .option('--index <url>', 'index of the sites of all fleets (default: s3://bucket/index)')
    .option('--no-index', 'do not look for duplicates in other fleets')
    .option(...allowCommands)
    .addHelpText(
      'after',
      '\nExample:\n  sno-install fleet pack --dir fleet --shards 40 --store s3://sites/spring --identity key.txt\n\n' +
        'The identity decrypts the index of other fleets. See docs/fleet-build.md.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { packRequestedFleet } = await import('./pack.js');
      await packRequestedFleet(command.optsWithGlobals<GlobalOptions & PackOptions>());
    });
  fleet
    .command('job')
    .argument(...directory)
    .description('Print or create a Kubernetes Job that creates the sites of a packed fleet in its store.')
    .requiredOption('--shards <number>', 'number of pods, as for `fleet pack`')
    .requiredOption('--store <url>', 'store of the packs and the sites: s3://bucket/prefix')
    .requiredOption('--image <reference>', 'image that runs sno-install')
    .option('--name <name>', 'name of the Job, and prefix of its Secrets', 'sno-install-fleet')
    .option('--namespace <name>', 'namespace of the Job (default: the current namespace)')
    .option('--jobs <number>', 'sites that a pod creates in parallel, with one core each (default: 1)')
    .option(...only)
    .option(...where)
    .option('--fleet-id <id>', 'ID that `fleet pack` printed (default: that of the output directory)')
    .option('--queue <name>', 'LocalQueue of Kueue, which starts the Job')
    .option(
      '--service-account <name>',
      'service account that gets credentials of the store, instead of the Secret NAME-store',
    )
    .option('--apply', 'create the Job instead of printing it')
    .option('--kubeconfig <file>', 'kubeconfig for --apply (default: $KUBECONFIG)')
    .option(
      '--trust-kubeconfig',
      'allow programs, files, a proxy and insecure-skip-tls-verify in the kubeconfig',
    )
    .addHelpText(
      'after',
      '\nExample:\n  sno-install fleet job --dir fleet --shards 40 --store s3://sites/spring --image REFERENCE | kubectl apply -f -\n\n' +
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
        'AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_ENDPOINT_URL, AWS_CA_BUNDLE and HTTPS_PROXY configure the access to the\n' +
        'store. Exit codes: 0 all sites are present and up to date, 1 a site is not, 3 the store does not answer.\n' +
        'See docs/fleet-build.md.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { collectFleet } = await import('./collect.js');
      await collectFleet(command.optsWithGlobals<GlobalOptions & AioOptions & CollectOptions>());
    });
}
