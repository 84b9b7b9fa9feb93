import { type Command, Option } from 'commander';

import { targetList, targets } from '../../run/targets.js';
import type { GlobalOptions, RecipientOptions, RenderIgnitionOptions, RenderOptions } from '../options.js';
import { withRecipients } from '../shared-options.js';

/** Adds `render` and its subcommands. */
export function addRender(program: Command): void {
  const render = program
    .command('render')
    .description('Write what is inside the Ignition configs as plain files to read.')
    .showHelpAfterError('(`sno-install render --help` lists what can be rendered)');
  withRecipients(render.command('control-plane'))
    .description(`Write ${targets['control-plane'].summary}.`)
    .addOption(
      new Option('--for <machine>', 'whose control plane')
        .choices(targetList.flatMap(({ offer }) => (offer.makes === 'tree' ? [offer.machine] : [])))
        .default(targets['control-plane'].offer.machine),
    )
    .addHelpText('after', '\nExample:\n  sno-install render control-plane --dir site1')
    .action(async (options: RenderOptions, command: Command) => {
      const { renderControlPlane } = await import('./render-control-plane.js');
      await renderControlPlane(options.for, command.optsWithGlobals<GlobalOptions & RecipientOptions>());
    });
  render
    .command('ignition')
    .argument('[file...]', 'Ignition configs, live ISOs and initrd overlays, in the place of all in --dir')
    .description('Write every file and unit of Ignition configs as a tree to review, without a secret.')
    .requiredOption('--out <dir>', 'where the tree is written; an earlier one is replaced (required)')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install render ignition --dir site1 --out site1-tree\n' +
        '  sno-install render ignition site1.iso --out tree\n\n' +
        'Certificates and keys are shown by what they are. What is a template of this version is named, not repeated.',
    )
    .action(async (files: readonly string[], _options: RenderIgnitionOptions, command: Command) => {
      const { renderIgnition } = await import('./render-ignition.js');
      await renderIgnition(files, command.optsWithGlobals<GlobalOptions & RenderIgnitionOptions>());
    });
}
