import type { Command } from 'commander';

import type { GatherOptions, GlobalOptions } from './options.js';
import { collectValues } from './shared-options.js';

/** Adds `gather` and `analyze`. */
export function addSupport(program: Command): void {
  addGather(program);
  addAnalyze(program);
}

function addGather(program: Command): void {
  program
    .command('gather')
    .description('Make a log bundle on the node over SSH and bring it into --dir.')
    .option('--bootstrap <host>', 'the node, as [USER@]HOST[:PORT]; the user is core')
    .option('--host <host>', 'the same as --bootstrap')
    .option('--key <file>', 'private key to log in with, may be repeated', collectValues, [])
    .option('--timeout <duration>', 'how long it may take, such as 20m', '20m')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install gather --bootstrap 192.168.126.10 --dir site1\n\n' +
        'It works in the live system and, until the cluster is complete, on the installed node. Without --key, the key of\n' +
        'the state file in --dir, keys of ssh-agent and your own are offered; the installed node knows only sshKey of\n' +
        'install-config.yaml. The host key of the node is not checked: a live system draws a new one at each boot.',
    )
    .action(async (options: GatherOptions, command: Command) => {
      const { gather } = await import('./gather.js');
      await gather(options, command.optsWithGlobals<GlobalOptions>());
    });
}

function addAnalyze(program: Command): void {
  program
    .command('analyze <bundle>')
    .description('Say which stage of an installation failed, its last error, and the likely cause.')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install analyze log-bundle-20260102030405.tar.gz\n\n' +
        'BUNDLE is a .tar.gz or the folder it was unpacked to; bundles of openshift-install are read too.\n' +
        'Exit codes: 0 no fault in it, 1 a stage failed or will fail, or the bundle cannot be read, 2 usage.',
    )
    .action(async (bundle: string, _options, command: Command) => {
      const { analyze } = await import('./analyze.js');
      await analyze(bundle, command.optsWithGlobals<GlobalOptions>());
    });
}
