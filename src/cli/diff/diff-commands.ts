import type { Command } from 'commander';

import type { AioOptions, DiffOptions, GlobalOptions, GoldenOptions } from '../options.js';
import { offlineFiles, outputOption, renderedTarget } from '../shared-options.js';

/** Adds `diff` and `golden`. */
export function addDiff(program: Command): void {
  program
    .command('diff')
    .argument('[file...]', 'before and after: directories, Ignition configs, live ISOs or trees')
    .description('Compare what two configs put on a node, by object, certificate and line. Shows no secrets.')
    .option('--against <revision>', 'compare the directory with a Git revision of it')
    .option('--sheet', 'compare only the sheets of the two sites: names, disk, network, objects, expiry')
    .addOption(renderedTarget())
    .option(...offlineFiles)
    .addOption(outputOption('markdown'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install diff old.ign new.ign\n  sno-install diff sites/berlin --against main --output markdown\n  sno-install diff --sheet site1 site1.iso\n\n' +
        'A directory without Ignition configs is rendered from its configuration, with placeholder keys.\n' +
        'Exit codes: 0 no differences, 1 differences or problems in the input, 2 usage error.',
    )
    .action(async (files: readonly string[], _options, command: Command) => {
      const { diff } = await import('./diff.js');
      await diff(files, command.optsWithGlobals<GlobalOptions & DiffOptions & AioOptions>());
    });
  program
    .command('golden')
    .argument('[dir...]', 'directories of sites to use instead of --dir')
    .description('Write reproducible golden files of sites, without secrets, as a tree to commit.')
    .requiredOption('--out <dir>', 'output directory; an existing tree is replaced (required)')
    .option('--check', 'write nothing; show how the tree differs from the current result')
    .addOption(renderedTarget())
    .option(...offlineFiles)
    .addOption(outputOption('markdown'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install golden sites/*/ --out golden\n  sno-install golden sites/*/ --out golden --check\n\n' +
        'Keys are placeholders and the time is fixed: the tree cannot boot a machine. docs/golden.md shows an example.\n' +
        'Exit codes: 0 success, 1 differences or problems in the input, 2 usage error, 3 output not written.',
    )
    .action(async (dirs: readonly string[], _options, command: Command) => {
      const { golden } = await import('./golden.js');
      await golden(dirs, command.optsWithGlobals<GlobalOptions & GoldenOptions & AioOptions>());
    });
}
