import type { Command } from 'commander';

import type { Target } from '../target.js';
import { type CreatedTarget, isCreated, targetList, targets } from '../targets.js';
import type {
  AioOptions,
  GlobalOptions,
  IsoOptions,
  PxeOptions,
  RecipientOptions,
  RenewOptions,
} from '../command-line/options.js';
import { addConfigs } from './configs/config-commands.js';
import {
  addKernelArguments,
  offlineFiles,
  renew,
  renewBefore,
  signKey,
  withEncryptedOutputs,
  withRecipients,
} from '../command-line/shared-options.js';

/** Adds `create` with everything that can be created. */
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
