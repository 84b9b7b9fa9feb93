import { type Command, Option } from 'commander';

import { targetList, targets } from '../../run/targets.js';
import type {
  GlobalOptions,
  RecipientOptions,
  RenderIgnitionOptions,
  RenderLibvirtOptions,
  RenderOptions,
} from '../options.js';
import { directory, withRecipients } from '../shared-options.js';

/** Adds `render` and its subcommands. */
export function addRender(program: Command): void {
  const render = program
    .command('render')
    .description('Write the contents of the Ignition configs as plain files.');
  withRecipients(render.command('control-plane'))
    .argument(...directory)
    .description(`Write ${targets['control-plane'].summary}.`)
    .addOption(
      new Option('--for <machine>', 'type of the machine')
        .choices(targetList.flatMap(({ offer }) => (offer.makes === 'tree' ? [offer.machine] : [])))
        .default(targets['control-plane'].offer.machine),
    )
    .addHelpText('after', '\nExample:\n  sno-install render control-plane --dir site1')
    .action(async (_dir, options: RenderOptions, command: Command) => {
      const { renderControlPlane } = await import('./render-control-plane.js');
      await renderControlPlane(options.for, command.optsWithGlobals<GlobalOptions & RecipientOptions>());
    });
  render
    .command('ignition')
    .argument('[file...]', 'Ignition configs, live ISOs and initrd overlays to read instead of --dir')
    .description('Write every file and unit of Ignition configs as a tree for review, without secrets.')
    .requiredOption('--out <dir>', 'output directory; an existing tree is replaced (required)')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install render ignition --dir site1 --out site1-tree\n' +
        '  sno-install render ignition site1.iso --out tree\n\n' +
        'Certificates and keys are replaced by descriptions, and unmodified templates of this version by their names.',
    )
    .action(async (files: readonly string[], _options: RenderIgnitionOptions, command: Command) => {
      const { renderIgnition } = await import('./render-ignition.js');
      await renderIgnition(files, command.optsWithGlobals<GlobalOptions & RenderIgnitionOptions>());
    });
  render
    .command('libvirt')
    .argument(...directory)
    .description('Write a virtual machine that fits the config, and its network, for libvirt.')
    .requiredOption('--out <dir>', 'output directory; an existing machine is replaced (required)')
    .option(
      '--images <dir>',
      'folder of the host with NAME.qcow2 and NAME.iso of the machine',
      '/var/lib/libvirt/images',
    )
    .option(
      '--bridge <name>',
      'bridge of the host to connect the machine to, instead of a network of libvirt',
    )
    .addHelpText('after', '\nExample:\n  sno-install render libvirt site1 --out site1-vm')
    .action(async (_dir, _options: RenderLibvirtOptions, command: Command) => {
      const { renderLibvirt } = await import('./render-libvirt.js');
      await renderLibvirt(command.optsWithGlobals<GlobalOptions & RenderLibvirtOptions>());
    });
}
