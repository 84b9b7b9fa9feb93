import { Argument, type Command, Option } from 'commander';

import { offlineFiles } from '../../shared-options.js';
import { jobs, type JobsOption } from '../jobs-option.js';
import { only } from '../only-option.js';
import type { CertsOptions, GlobalOptions } from '../../options.js';
import type { FleetOptions } from '../fleet-options.js';
import type { Rendered } from './render-command.js';
import type {
  ComparingFleet,
  FleetDiffOptions,
  FleetGoldenOptions,
  FleetRenderOptions,
} from './review-options.js';

/** The global `--output` option with the formats of these commands. The program parses it; this definition is for the help. */
function outputOption(): Option {
  return new Option('--output <format>', 'form of the results').choices(['text', 'json', 'markdown']);
}

/** Adds `fleet golden`, `fleet diff`, `fleet certs` and `fleet render`. */
export function addFleetReview(fleet: Command): void {
  fleet
    .command('golden')
    .description(
      'Write what is made of all sites as one tree to commit: what they share stands once; no secret.',
    )
    .requiredOption('--out <dir>', 'where the tree is written; an earlier one is replaced (required)')
    .option('--check', 'write nothing; say in what the tree differs from what is made now')
    .option(...only)
    .option(...jobs)
    .option(...offlineFiles)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet golden --dir fleet --out golden\n' +
        '  sno-install fleet golden --dir fleet --out golden --check --output markdown\n\n' +
        'Keys are stand-ins and the time is fixed: nothing of a tree boots. docs/fleet-build.md shows one.\n' +
        'Exit codes: 0 done, or no difference, 1 a difference, or the input has problems, 2 usage, 3 not written.',
    )
    .action(async (_options, command: Command) => {
      const { writeFleetGolden } = await import('./golden-command.js');
      await writeFleetGolden(command.optsWithGlobals<ComparingFleet & FleetGoldenOptions>());
    });
  fleet
    .command('diff')
    .argument(
      '[folder...]',
      'before and after: fleets, folders with their outputs, or trees that `fleet golden` wrote',
    )
    .description('Say what differs on the nodes; what differs in the same way in many sites is told once.')
    .option(
      '--against <revision>',
      'compare a folder, that of --dir without one, with itself in a Git revision',
    )
    .option(...only)
    .option(...jobs)
    .option(...offlineFiles)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet diff --dir fleet --against main\n' +
        '  sno-install fleet diff golden --against origin/main --output markdown\n' +
        '  sno-install fleet diff fleet/out fleet\n\n' +
        'Sites are made on both sides, with stand-ins for keys; one of which nothing was changed is not. Outputs beside a\n' +
        'fleet are compared with what `fleet create` would make of them now, by their own keys.\n' +
        'Exit codes: 0 no difference, 1 a difference, or the input has problems, 2 usage.',
    )
    .action(async (folders: readonly string[], _options, command: Command) => {
      const { diffFleets } = await import('./diff-command.js');
      await diffFleets(folders, command.optsWithGlobals<ComparingFleet & FleetDiffOptions>());
    });
  fleet
    .command('certs')
    .description(
      'List the certificates of all sites, what ends first at the top; what is alike in many sites once.',
    )
    .option(
      '--warn-before <duration>',
      'exit with 1 when one ends within that time or has ended, such as 14d',
    )
    .option(...only)
    .option(...jobs)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet certs --dir fleet\n' +
        '  sno-install fleet certs --dir fleet --warn-before 30d --output json\n\n' +
        'Encrypted outputs are opened by --identity. `certs --dir fleet/out/SITE` lists those of one site in full.\n' +
        'Exit codes: 0 done, 1 a certificate has ended or ends within --warn-before, or outputs of a site are not there\n' +
        'or cannot be read, 2 usage.',
    )
    .action(async (_options, command: Command) => {
      const { listFleetCertificates } = await import('./certs-command.js');
      await listFleetCertificates(
        command.optsWithGlobals<GlobalOptions & FleetOptions & JobsOption & CertsOptions>(),
      );
    });
  fleet
    .command('render')
    .addArgument(
      new Argument(
        '<what>',
        'inputs: the files of each site with variables and overrides put in; ignition: the configs that were made',
      ).choices(['inputs', 'ignition']),
    )
    .description(
      'Write what sites are made of, or what was made of them, as trees to read, without a secret.',
    )
    .requiredOption('--out <dir>', 'where the trees are written; earlier ones are replaced (required)')
    .option(...only)
    .option(...jobs)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet render inputs --dir fleet --only north-1 --out site\n' +
        '  sno-install fleet render ignition --dir fleet --only "north-*" --out trees\n\n' +
        'Each site has a folder of its name. Encrypted outputs are opened by --identity.\n' +
        'Exit codes: 0 done, 1 a site cannot be shown, the others are, 2 usage, 3 not written.',
    )
    .action(async (what: Rendered, _options, command: Command) => {
      const { renderFleet } = await import('./render-command.js');
      await renderFleet(
        what,
        command.optsWithGlobals<GlobalOptions & FleetOptions & JobsOption & FleetRenderOptions>(),
      );
    });
}
