import { type Command, Option } from 'commander';

import { defaultTarget, targetList } from '../../run/targets.js';
import type { CertsOptions, GlobalOptions, InspectOptions, WhyOptions } from '../options.js';

/** Adds `inspect`, `certs` and `why`. */
export function addInspectCommands(program: Command): void {
  program
    .command('inspect <file>')
    .description(
      'Show the contents of an Ignition config, a live ISO or an initrd overlay, and warn of mistakes in it.',
    )
    .option('--all', 'list every certificate, user, unit, file and network setting')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install inspect site1/bootstrap-in-place-for-live-iso.ign\n  sno-install inspect site1.iso --output json\n\n' +
        'Mistakes in the file are warnings and do not change the exit code; `explain CODE` describes one.',
    )
    .action(async (file: string, _options, command: Command) => {
      const { inspect } = await import('./inspect.js');
      await inspect(file, command.optsWithGlobals<GlobalOptions & InspectOptions>());
    });
  program
    .command('certs')
    .argument(
      '[path...]',
      'folders, Ignition configs, live ISOs, kubeconfigs and PEM files, in the place of --dir',
    )
    .description('List every certificate with its end, its signer, and where it lies.')
    .option(
      '--warn-before <duration>',
      'exit with 1 when one ends within that time or has ended, such as 14d',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install certs --dir site1\n' +
        '  sno-install certs site1.iso auth/kubeconfig --warn-before 14d --output json\n\n' +
        'Exit codes: 0 done, 1 a certificate has ended or ends within --warn-before, a path holds none, or it cannot be\n' +
        'read, 2 usage. Without --warn-before nothing is said about the time that is left.',
    )
    .action(async (paths: readonly string[], _options: CertsOptions, command: Command) => {
      const { certs } = await import('./certs.js');
      await certs(paths, command.optsWithGlobals<GlobalOptions & CertsOptions>());
    });
  program
    .command('why <path>')
    .description('Say which asset made a file, unit or object, and from which fields of which inputs.')
    .addOption(
      new Option('--target <target>', 'whose output it is')
        .choices(targetList.map(({ name }) => name))
        .default(defaultTarget),
    )
    .addHelpText(
      'after',
      '\nPATH is an output, NAME.ign:/path, a path on the node, a unit, a manifest, or Kind/namespace/name.\n\n' +
        'Examples:\n  sno-install why /etc/motd --dir site1\n  sno-install why DNS/cluster --dir site1\n' +
        '  sno-install why kubelet.service --target aio-ignition --dir site1',
    )
    .action(async (path: string, _options: WhyOptions, command: Command) => {
      const { why } = await import('./why.js');
      await why(path, command.optsWithGlobals<GlobalOptions & WhyOptions>());
    });
}
