import type { Command } from 'commander';

import type { AioOptions, GlobalOptions, InstallConfigOptions, RenewOptions } from './options.js';
import { offlineFiles } from './shared-options.js';

const renew = ['--renew', 'issue the certificates anew, from the same keys'] as const;
const renewBefore = [
  '--renew-before <duration>',
  'the same when less than that is left of them, such as 10d',
] as const;

/** Adds `create` with everything that can be created. */
export function addCreate(program: Command): void {
  const create = program
    .command('create')
    .description('Write configs, manifests or Ignition configs.')
    .showHelpAfterError('(`sno-install create --help` lists what can be created)');
  addCreateInstallConfig(create);
  create
    .command('manifests')
    .description('Write manifests/ and openshift/ to edit before the Ignition configs are made.')
    .addHelpText('after', '\nExample:\n  sno-install create manifests --dir site1')
    .action(async (_options, command: Command) => {
      const { createTarget } = await import('./create.js');
      await createTarget('manifests', command.optsWithGlobals<GlobalOptions>());
    });
  create
    .command('single-node-ignition-config')
    .description('Write bootstrap-in-place-for-live-iso.ign, worker.ign, auth/ and metadata.json.')
    .option(...renew)
    .option(...renewBefore)
    .addHelpText('after', '\nExample:\n  sno-install create single-node-ignition-config --dir site1')
    .action(async (_options, command: Command) => {
      const { createTarget } = await import('./create.js');
      const options = command.optsWithGlobals<GlobalOptions & RenewOptions>();
      await createTarget('single-node-ignition-config', options);
    });
  create
    .command('aio-ignition')
    .description('Write aio.ign of an all-in-one control plane, auth/kubeconfig and metadata.json.')
    .option(...offlineFiles)
    .option(...renew)
    .option(...renewBefore)
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create aio-ignition --dir site1\n' +
        '\nkubelet, kubectl and CNI plugins are fetched at the first boot from where their projects publish them, each held\n' +
        'against its hash. --offline-files has them fetched from a mirror instead; docs/aio.md says how to make one.',
    )
    .action(async (_options, command: Command) => {
      const { createTarget } = await import('./create.js');
      await createTarget(
        'aio-ignition',
        command.optsWithGlobals<GlobalOptions & AioOptions & RenewOptions>(),
      );
    });
}

function addCreateInstallConfig(create: Command): void {
  create
    .command('install-config')
    .description('Write a commented install-config.yaml; an existing one is never overwritten.')
    .option('--name <name>', 'name of the cluster')
    .option('--base-domain <domain>', 'domain the cluster name is put before')
    .option('--installation-disk <path>', 'disk to install to, such as /dev/disk/by-id/wwn-…')
    .option('--machine-network <cidr>', 'network of the node')
    .option('--ssh-key-file <file>', 'public key for the user core')
    .option('--pull-secret-file <file>', 'pull secret, as downloaded')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create install-config --dir site1 --name site1 --base-domain example.com \\\n' +
        '    --installation-disk /dev/disk/by-id/wwn-0x5000c500a1b2c3d4\n' +
        '\nWhat is not given is asked for on a terminal; elsewhere the file gets a marked place to fill in.',
    )
    .action(async (options: InstallConfigOptions, command: Command) => {
      const { createInstallConfig } = await import('./create-install-config.js');
      await createInstallConfig(options, command.optsWithGlobals<GlobalOptions>());
    });
}
