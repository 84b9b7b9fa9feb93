import type { Command } from 'commander';

import type {
  AioOptions,
  GlobalOptions,
  InstallConfigOptions,
  IsoOptions,
  PxeOptions,
  RecipientOptions,
  RenewOptions,
  SnoConfigOptions,
} from './options.js';
import {
  addKernelArguments,
  collectValues,
  offlineFiles,
  renew,
  renewBefore,
  signKey,
  withEncryptedOutputs,
  withRecipients,
} from './shared-options.js';
import type { Target } from '../run/target.js';
import { type CreatedTarget, isCreated, targetList, targets } from '../run/targets.js';

/** Adds `create` and its subcommands. */
export function addCreate(program: Command): void {
  const create = program
    .command('create')
    .description('Write configs, manifests or Ignition configs.')
    .showHelpAfterError('(`sno-install create --help` lists what can be created)');
  addConfigs(create);
  for (const { name } of targetList) if (isCreated(name)) addTarget(create, name);
  addCreateIso(create);
  addCreatePxe(create);
}

function addTarget(create: Command, name: CreatedTarget): void {
  const { summary, offer }: Target = targets[name];
  const withKeeping = offer.makes === 'ignition' ? withEncryptedOutputs : withRecipients;
  const command = withKeeping(create.command(name).description(`Write ${summary}.`));
  if (offer.makes === 'ignition') {
    if (offer.fetchesFiles) command.option(...offlineFiles);
    command
      .option(...renew)
      .option(...renewBefore)
      .option(...signKey);
  }
  const details = offer.makes === 'ignition' && offer.details !== undefined ? `\n\n${offer.details}` : '';
  command
    .addHelpText('after', `\nExample:\n  sno-install create ${name} --dir site1${details}`)
    .action(async () => {
      const { createTarget } = await import('./create.js');
      await createTarget(
        name,
        command.optsWithGlobals<GlobalOptions & AioOptions & RenewOptions & RecipientOptions>(),
      );
    });
}

function addCreateIso(create: Command): void {
  const command = withEncryptedOutputs(create.command('single-node-iso'))
    .description('Write the configs of single-node-ignition-config, and a live ISO that boots with them.')
    .requiredOption('--iso <file>', 'live ISO of CoreOS, as it was downloaded (required)')
    .option('--out <file>', 'file to write, or - for stdout (default: single-node.iso in --dir)')
    .option('--in-place', 'change the ISO itself')
    .option('--force', 'write over a config that the ISO holds already')
    .option('--minimal', 'write a small ISO, whose live system fetches its root file system from --rootfs')
    .option('--rootfs <url>', 'with --minimal: where you serve the root file system of the ISO')
    .option('--rootfs-out <file>', 'with --minimal: file to write that root file system to')
    .option(...signKey);
  addKernelArguments(command)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install create single-node-iso --dir site1 --iso rhcos-live.x86_64.iso --out site1.iso\n' +
        '  sno-install create single-node-iso --dir site1 --iso rhcos-live.x86_64.iso --out site1.iso --minimal \\\n' +
        '    --rootfs http://192.0.2.1/rootfs.img --rootfs-out rootfs.img\n\n' +
        'Needs no other program. The ISO holds keys: it is written for its owner alone.',
    )
    .action(async (_options: IsoOptions, command: Command) => {
      const { createSingleNodeIso } = await import('./media/create-single-node-iso.js');
      await createSingleNodeIso(command.optsWithGlobals<GlobalOptions & IsoOptions & RecipientOptions>());
    });
}

function addCreatePxe(create: Command): void {
  const command = withEncryptedOutputs(create.command('single-node-pxe'))
    .description('Write the same configs, and what a machine boots from over the network with them.')
    .requiredOption('--rootfs <url>', 'where the root file system of the live system lies (required)')
    .option('--kernel <url>', 'its kernel (default: beside --rootfs, as CoreOS names it)')
    .option('--initrd <url>', 'its initramfs (default: the same)')
    .option('--overlay <url>', 'where you put the initramfs with the config (default: beside --rootfs)')
    .option('--out <dir>', 'folder to write to (default: pxe in --dir)')
    .option(...signKey);
  addKernelArguments(command)
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create single-node-pxe --dir site1 \\\n' +
        '    --rootfs http://192.0.2.1/rhcos-live-rootfs.x86_64.img\n\n' +
        'Nothing is fetched. The initramfs holds keys: serve it on a network that is yours.',
    )
    .action(async (_options: PxeOptions, command: Command) => {
      const { createSingleNodePxe } = await import('./media/create-single-node-pxe.js');
      await createSingleNodePxe(command.optsWithGlobals<GlobalOptions & PxeOptions & RecipientOptions>());
    });
}

/** Adds the subcommands that write config templates. */
function addConfigs(create: Command): void {
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
      const { createInstallConfig } = await import('./configs/create-install-config.js');
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
    .option('--ntp-source <server>', 'time server of the node, may be repeated', collectValues, [])
    .option('--local-dns', 'let the node answer for api, api-int and *.apps itself; needs its address')
    .option('--recipient <recipient>', 'encrypt the state to it, may be repeated (age1…)', collectValues, [])
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create sno-config --dir site1 --hostname sno.example.com --node-ip 192.168.126.10\n' +
        '\nThe file is optional, and so is every field in it: what is not given stands there as a comment.',
    )
    .action(async (options: SnoConfigOptions, command: Command) => {
      const { createSnoConfig } = await import('./configs/create-sno-config.js');
      await createSnoConfig(options, command.optsWithGlobals<GlobalOptions>());
    });
}
