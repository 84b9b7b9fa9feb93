import { type Command, Option } from 'commander';

import type { ApplyOptions, GlobalOptions } from '../options.js';
import { directory } from '../shared-options.js';

/** Adds `apply`. */
export function addApply(program: Command): void {
  withApplyOptions(
    program
      .command('apply')
      .argument(...directory)
      .description(
        'Apply the configuration of a site to its running cluster: its manifests and settings, then post-install/ wave by wave.',
      ),
  )
    .addOption(
      new Option('--diff', 'show how the cluster differs from the manifests; change nothing').conflicts(
        'dryRun',
      ),
    )
    .option('--kubeconfig <file>', 'kubeconfig to use instead of auth/kubeconfig in --dir')
    .option(
      '--trust-kubeconfig',
      'allow programs, files, a proxy and insecure-skip-tls-verify in the kubeconfig',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install apply site1\n  sno-install apply site1 --diff\n  sno-install apply site1 --dry-run server --prune\n  sno-install apply site1 --wave 20\n\n' +
        'The first wave, "manifests", contains manifests/, openshift/, extraManifests and the objects of install-config.yaml\n' +
        'and sno-config.yaml, without those that only the installation uses. post-install/remove.yaml lists objects to delete.\n' +
        'An object waits until its kind is served and the operator of the kind is installed. A conflict with another field\n' +
        'manager fails the object at once, unless --force-conflicts is given.\n' +
        'Exit codes: 0 applied, or no differences with --diff; 1 an object failed, differences, or problems in the input;\n' +
        '2 usage error; 130 stopped by Ctrl-C.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { applyToCluster } = await import('./apply.js');
      await applyToCluster(command.optsWithGlobals<GlobalOptions & ApplyOptions>());
    });
}

/** Adds the options that `apply` and `fleet apply` share. */
export function withApplyOptions(command: Command): Command {
  return command
    .option(
      '--wave <wave>',
      'apply only this wave: "manifests", the number that its file names begin with, or "last"',
    )
    .addOption(
      new Option('--dry-run <mode>', 'let the API check the objects; change nothing').choices(['server']),
    )
    .option('--prune', 'delete objects that earlier runs applied and the manifests no longer contain')
    .option('--force-conflicts', 'take over fields that belong to other field managers')
    .option(
      '--timeout <duration>',
      'time limit of each wave for kinds and operators, such as 90m (default: postInstallTimeout, 60m)',
    );
}
