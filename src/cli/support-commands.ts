import type { Command } from 'commander';

import type { GatherOptions, GlobalOptions } from './options.js';
import { collectValues, directory, fileOf, withFile } from './shared-options.js';

/** Adds `gather` and `analyze`. */
export function addSupport(program: Command): void {
  addGather(program);
  addAnalyze(program);
}

function addGather(program: Command): void {
  program
    .command('gather')
    .argument(...directory)
    .description('Collect a log bundle from the node over SSH and save it in --dir.')
    .option('--bootstrap <host>', 'the node as [USER@]HOST[:PORT] (default user: core)')
    .option('--host <host>', 'alias of --bootstrap')
    .option('--key <file>', 'SSH private key, may be repeated', collectValues, [])
    .option('--timeout <duration>', 'time limit, such as 20m', '20m')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install gather --bootstrap 192.168.126.10 --dir site1\n\n' +
        'Works in the live system and, until the installation completes, on the installed node. Without --key, it tries the\n' +
        'key in the state file in --dir, the keys of ssh-agent and your default keys. The installed node accepts only the\n' +
        'sshKey of install-config.yaml. The host key is not checked: a live system generates a new one at each boot.',
    )
    .action(async (_dir, options: GatherOptions, command: Command) => {
      const { gather } = await import('./gather.js');
      await gather(options, command.optsWithGlobals<GlobalOptions>());
    });
}

function addAnalyze(program: Command): void {
  withFile(program.command('analyze'), 'bundle', 'log bundle, as a .tar.gz file or an unpacked directory')
    .description('Show which stage of an installation failed, the last error and the likely cause.')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install analyze log-bundle-20260102030405.tar.gz\n\n' +
        'BUNDLE is a .tar.gz file or an unpacked directory. Bundles of openshift-install work too.\n' +
        'Exit codes: 0 no failure found, 1 a stage failed or will fail, or the bundle cannot be read, 2 usage error.',
    )
    .action(async (bundle: string | undefined, _options, command: Command) => {
      const path = fileOf(command, bundle);
      const { analyze } = await import('./analyze.js');
      await analyze(path, command.optsWithGlobals<GlobalOptions>());
    });
}
