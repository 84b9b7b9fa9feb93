import { Argument, type Command } from 'commander';

import { directory, offlineFiles, outputOption } from '../../shared-options.js';
import { jobs, type JobsOption } from '../jobs-option.js';
import { allowCommands } from '../site-access-options.js';
import { only, where } from '../only-option.js';
import type { AioOptions, CertsOptions, GlobalOptions } from '../../options.js';
import type { FleetOptions } from '../fleet-options.js';
import type { Rendered } from './render-command.js';
import type {
  ComparingFleet,
  FleetDiffOptions,
  FleetGoldenOptions,
  FleetRenderOptions,
} from './review-options.js';

/** Adds `fleet golden`, `fleet diff`, `fleet certs`, `fleet why` and `fleet render`. */
export function addFleetReview(fleet: Command): void {
  fleet
    .command('golden')
    .argument(...directory)
    .description('Write reproducible golden files of all sites, without secrets, as one tree to commit.')
    .requiredOption('--out <dir>', 'output directory; an existing tree is replaced (required)')
    .option('--check', 'write nothing; show how the tree differs from the current result')
    .option(...only)
    .option(...where)
    .option(...jobs)
    .option(...offlineFiles)
    .addOption(outputOption('markdown'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet golden --dir fleet --out golden\n' +
        '  sno-install fleet golden --dir fleet --out golden --check --output markdown\n\n' +
        'Keys are placeholders and the time is fixed: the tree cannot boot a machine. docs/fleet-build.md shows an example.\n' +
        'Exit codes: 0 success, 1 differences or problems in the input, 2 usage error, 3 output not written.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { writeFleetGolden } = await import('./golden-command.js');
      await writeFleetGolden(command.optsWithGlobals<ComparingFleet & FleetGoldenOptions>());
    });
  fleet
    .command('diff')
    .argument('[folder...]', 'before and after: fleets, output directories, or trees of `fleet golden`')
    .description('Compare two fleets. The same difference in many sites is shown once.')
    .option('--against <revision>', 'compare the directory (default: --dir) with a Git revision of it')
    .option('--sheet', 'compare only the sheets of the sites: names, disk, network, objects')
    .option(...allowCommands)
    .option(...only)
    .option(...where)
    .option(...jobs)
    .option(...offlineFiles)
    .addOption(outputOption('markdown'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet diff --dir fleet --against main\n' +
        '  sno-install fleet diff golden --against origin/main --output markdown\n' +
        '  sno-install fleet diff fleet/out fleet\n' +
        '  sno-install fleet diff --sheet --dir fleet --against main\n\n' +
        'Sites with changed inputs are rendered on both sides with placeholder keys. Outputs are compared with what\n' +
        '`fleet create` would write now, with the keys of their state files.\n' +
        'Exit codes: 0 no differences, 1 differences or problems in the input, 2 usage error.',
    )
    .action(async (folders: readonly string[], _options, command: Command) => {
      const { diffFleets } = await import('./diff-command.js');
      await diffFleets(folders, command.optsWithGlobals<ComparingFleet & FleetDiffOptions>());
    });
  fleet
    .command('certs')
    .argument(...directory)
    .description('List the certificates of all sites by expiry. Equal entries of many sites are grouped.')
    .option(
      '--warn-before <duration>',
      'exit with 1 if a certificate has expired or expires within this time, such as 14d',
    )
    .option(...only)
    .option(...where)
    .option(...jobs)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet certs --dir fleet\n' +
        '  sno-install fleet certs --dir fleet --warn-before 30d --output json\n\n' +
        '--identity decrypts encrypted outputs. `certs --dir fleet/out/SITE` lists all certificates of one site.\n' +
        'Exit codes: 0 success, 1 a certificate has expired or expires within --warn-before, or outputs of a site are missing\n' +
        'or cannot be read, 2 usage error.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { listFleetCertificates } = await import('./certs-command.js');
      await listFleetCertificates(
        command.optsWithGlobals<GlobalOptions & FleetOptions & JobsOption & CertsOptions>(),
      );
    });
  fleet
    .command('why')
    .argument('<site>', 'name of the site')
    .argument('<path>', 'output, NAME.ign:/path, path on the node, unit, manifest, or Kind/namespace/name')
    .argument(...directory)
    .description('Show which input fields a file of a site is based on, and which layer sets each of them.')
    .option(...offlineFiles)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet why north-1 DNS/cluster --dir fleet\n' +
        '  sno-install fleet why north-1 /etc/chrony.conf --dir fleet --output json\n\n' +
        'Layers are the base, the classes, the columns of the table, the variables of fleet.yaml and the override of the site.',
    )
    .action(async (...given: readonly [string, string, unknown, unknown, Command]) => {
      const [site, path, , , command] = given;
      const { whyInFleet } = await import('./why-command.js');
      await whyInFleet(site, path, command.optsWithGlobals<GlobalOptions & AioOptions>());
    });
  fleet
    .command('render')
    .addArgument(
      new Argument(
        '<what>',
        'inputs: the configuration of each site with variables and overrides applied; ignition: its Ignition configs; sheet: its sheet as Markdown',
      ).choices(['inputs', 'ignition', 'sheet']),
    )
    .description(
      'Write the configuration, the Ignition configs or the sheets of sites as plain files, without secrets.',
    )
    .requiredOption('--out <dir>', 'output directory; existing trees are replaced (required)')
    .option(...only)
    .option(...where)
    .option(...jobs)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet render inputs --dir fleet --only north-1 --out site\n' +
        '  sno-install fleet render ignition --dir fleet --only "north-*" --out trees\n' +
        '  sno-install fleet render sheet --dir fleet --only north-1 --out sheets\n\n' +
        'Each site has its own directory. --identity decrypts encrypted outputs.\n' +
        'Exit codes: 0 success, 1 some sites cannot be rendered, 2 usage error, 3 output not written.',
    )
    .action(async (what: Rendered, _options, command: Command) => {
      const { renderFleet } = await import('./render-command.js');
      await renderFleet(
        what,
        command.optsWithGlobals<GlobalOptions & FleetOptions & JobsOption & FleetRenderOptions>(),
      );
    });
}
