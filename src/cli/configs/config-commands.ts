import type { Command } from 'commander';

import type { GlobalOptions, InstallConfigOptions, SnoConfigOptions } from '../../command-line/options.js';
import { collected } from '../../command-line/shared-options.js';

/** Adds the configs that `create` writes to be filled in. */
export function addConfigs(create: Command): void {
  addCreateInstallConfig(create);
  addCreateSnoConfig(create);
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

function addCreateSnoConfig(create: Command): void {
  create
    .command('sno-config')
    .description('Write a commented sno-config.yaml with every field; an existing one is never overwritten.')
    .option('--hostname <name>', 'name of the node')
    .option('--node-ip <address>', 'address of the node')
    .option('--release-image <image>', 'release payload to install')
    .option('--ntp-source <server>', 'time server of the node, may be repeated', collected, [])
    .option('--local-dns', 'let the node answer for api, api-int and *.apps itself; needs its address')
    .option('--recipient <recipient>', 'encrypt the state to it, may be repeated (age1…)', collected, [])
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create sno-config --dir site1 --hostname sno.example.com --node-ip 192.168.126.10\n' +
        '\nThe file is optional, and so is every field in it: what is not given stands there as a comment.',
    )
    .action(async (options: SnoConfigOptions, command: Command) => {
      const { createSnoConfig } = await import('./create-sno-config.js');
      await createSnoConfig(options, command.optsWithGlobals<GlobalOptions>());
    });
}
