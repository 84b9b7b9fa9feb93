import type { Command } from 'commander';

import type { GlobalOptions } from '../options.js';
import type { ImportOptions } from './import-options.js';

/** Adds `import` and its subcommands. */
export function addImport(program: Command): void {
  const group = program
    .command('import')
    .description('Make our files of those of another installer; what has no place in them is listed.')
    .showHelpAfterError('(`sno-install import --help` lists what can be imported)');
  addSource(group, {
    name: 'agent-config',
    summary: 'Import the folder of the agent installer: agent-config.yaml, install-config.yaml, openshift/.',
    argument: '<folder>',
    example: 'sno-install import agent-config agent --dir site1',
  });
  addSource(group, {
    name: 'cluster-instance',
    summary: 'Import a ClusterInstance of ZTP, or a SiteConfig, with what it refers to in the same folder.',
    argument: '<file-or-folder>',
    example:
      'sno-install import cluster-instance clusters/site1 --dir site1 --pull-secret-file env:PULL_SECRET',
  }).option('--site <name>', 'the cluster of this name, where there are several');
  addSource(group, {
    name: 'install-dir',
    summary:
      'Import a folder of openshift-install: install-config.yaml, or what its state keeps of it, and manifests.',
    argument: '<folder>',
    example: 'sno-install import install-dir old-site1 --dir site1',
  });
}

interface Source {
  readonly name: 'agent-config' | 'cluster-instance' | 'install-dir';
  readonly summary: string;
  readonly argument: string;
  readonly example: string;
}

function addSource(group: Command, { name, summary, argument, example }: Source): Command {
  return group
    .command(`${name} ${argument}`)
    .description(summary)
    .option('--installation-disk <path>', 'disk to install to, such as /dev/disk/by-id/wwn-…')
    .option('--release-image <image>', 'release payload to install')
    .option('--pull-secret-file <file>', 'pull secret, as downloaded; env:NAME is kept as such')
    .option('--fleet', 'make a fleet of all that lies below the folder: a table, a base and overrides')
    .option('--force', 'replace files of the same names in --dir')
    .addHelpText('after', `\nExample:\n  ${example}\n\ndocs/import.md says what becomes of every field.`)
    .action(async (from: string, _options: ImportOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ImportOptions>();
      if (options.fleet === true) {
        const { importFleet } = await import('./import-fleet.js');
        await importFleet(name, from, options);
        return;
      }
      const { importSite } = await import('./import-site.js');
      await importSite(name, from, options);
    });
}
