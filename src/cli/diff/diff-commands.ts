import { type Command, Option } from 'commander';

import { defaultTarget, targetList } from '../../run/targets.js';
import type { AioOptions, DiffOptions, GoldenOptions } from '../options.js';
import { offlineFiles } from '../shared-options.js';
import type { ComparingOptions } from './report-differences.js';

/** The global `--output` option with the formats of these commands. The program parses it; this definition is for the help. */
function outputOption(): Option {
  return new Option('--output <format>', 'form of the results').choices(['text', 'json', 'markdown']);
}

function targetOption(): Option {
  return new Option('--target <target>', 'what is made of a directory of inputs')
    .choices(targetList.filter(({ offer }) => offer.makes === 'ignition').map(({ name }) => name))
    .default(defaultTarget);
}

/** Adds `diff` and `golden`. */
export function addDiff(program: Command): void {
  program
    .command('diff')
    .argument('[file...]', 'before and after: directories, Ignition configs, live ISOs or trees')
    .description('Say what differs on the node, by object, certificate and line; no secret is shown.')
    .option('--against <revision>', 'compare a directory with itself in a Git revision')
    .addOption(targetOption())
    .option(...offlineFiles)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install diff old.ign new.ign\n  sno-install diff sites/berlin --against main --output markdown\n\n' +
        'A directory without Ignition configs is compared by what is made of its inputs, with stand-ins for keys.\n' +
        'Exit codes: 0 no difference, 1 a difference, or the input has problems, 2 usage.',
    )
    .action(async (files: readonly string[], _options, command: Command) => {
      const { diff } = await import('./diff.js');
      await diff(files, command.optsWithGlobals<ComparingOptions & DiffOptions & AioOptions>());
    });
  program
    .command('golden')
    .argument('[dir...]', 'directories of sites, in the place of --dir')
    .description(
      'Write what is made of sites as a tree to commit: the same on every machine, without a secret.',
    )
    .requiredOption('--out <dir>', 'where the tree is written; an earlier one is replaced (required)')
    .option('--check', 'write nothing; say in what the tree differs from what is made now')
    .addOption(targetOption())
    .option(...offlineFiles)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install golden sites/*/ --out golden\n  sno-install golden sites/*/ --out golden --check\n\n' +
        'Keys are stand-ins and the time is fixed: nothing of a tree boots. docs/golden.md shows a repository that uses it.\n' +
        'Exit codes: 0 done, or no difference, 1 a difference, or the input has problems, 2 usage, 3 not written.',
    )
    .action(async (dirs: readonly string[], _options, command: Command) => {
      const { golden } = await import('./golden.js');
      await golden(dirs, command.optsWithGlobals<ComparingOptions & GoldenOptions & AioOptions>());
    });
}
