import type { Command } from 'commander';

import type { GlobalOptions } from '../options.js';
import type { ImportOptions } from './import-options.js';
import type { PolicyOptions } from './import-policies.js';

/** Adds `import` and its subcommands. */
export function addImport(program: Command): void {
  const group = program
    .command('import')
    .description('Convert configuration from another installer; lists settings that have no equivalent.');
  addSource(group, {
    name: 'agent-config',
    summary:
      'Convert a directory of the agent-based installer: agent-config.yaml, install-config.yaml, openshift/.',
    argument: '<folder>',
    example: 'sno-install import agent-config agent --dir site1',
  });
  addSource(group, {
    name: 'cluster-instance',
    summary:
      'Convert a ZTP ClusterInstance or SiteConfig, with the files it refers to in the same directory.',
    argument: '<file-or-folder>',
    example:
      'sno-install import cluster-instance clusters/site1 --dir site1 --pull-secret-file env:PULL_SECRET',
  }).option('--site <name>', 'name of the cluster to convert if there are several');
  addSource(group, {
    name: 'install-dir',
    summary:
      'Convert a directory of openshift-install: install-config.yaml or its copy in the state file, and manifests.',
    argument: '<folder>',
    example: 'sno-install import install-dir old-site1 --dir site1',
  });
  addPolicies(group);
}

function addPolicies(group: Command): void {
  group
    .command('policies <folder>')
    .description('Convert PolicyGenerators, PolicyGenTemplates and Policies of a hub to files of a fleet.')
    .option('--source-crs <folder>', 'folder of the source CRs that the policies name')
    .option('--overwrite', 'replace files with the same names in --dir')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install import policies policies --source-crs source-crs --dir fleet\n\ndocs/import.md describes the mapping.',
    )
    .action(async (from: string, _options: PolicyOptions, command: Command) => {
      const { importPolicyFolder } = await import('./import-policies.js');
      await importPolicyFolder(from, command.optsWithGlobals<GlobalOptions & PolicyOptions>());
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
    .option('--installation-disk <path>', 'installation disk, such as /dev/disk/by-id/wwn-…')
    .option('--release-image <image>', 'release image to install')
    .option(
      '--pull-secret-file <file>',
      'downloaded pull secret, or env:NAME, which is written to the configuration as is',
    )
    .option('--fleet', 'create a fleet from all sites below the directory: a table, a base and overrides')
    .option('--overwrite', 'replace files with the same names in --dir')
    .addHelpText('after', `\nExample:\n  ${example}\n\ndocs/import.md lists the mapping of every field.`)
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
