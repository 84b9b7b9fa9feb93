import { type Command, Option } from 'commander';

import { defaultTarget, targetList } from '../../run/targets.js';
import type { AioOptions, CertsOptions, GlobalOptions, InspectOptions, WhyOptions } from '../options.js';
import {
  directory,
  fileOf,
  offlineFiles,
  outputOption,
  renderedTarget,
  withFile,
} from '../shared-options.js';

/** Adds `inspect`, `certs` and `why`. */
export function addInspectCommands(program: Command): void {
  withFile(
    program.command('inspect'),
    'path',
    'configuration directory, live ISO, network boot directory, initrd overlay or Ignition config',
  )
    .description(
      'Show the sheet of a site: names, release, disk that is erased, network, added objects and expiry.',
    )
    .option('--all', 'list every certificate, user, unit, file and network setting of a file')
    .addOption(renderedTarget())
    .option(...offlineFiles)
    .addOption(outputOption('markdown'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install inspect site1\n  sno-install inspect site1.iso --output markdown\n\n' +
        'A directory with an install-config.yaml is rendered with placeholder keys. Compare it with a medium by\n' +
        '`sno-install diff --sheet site1 site1.iso`. Mistakes in a file are warnings and do not change the exit code. `explain CODE` describes a warning.',
    )
    .action(async (file: string | undefined, _options, command: Command) => {
      const path = fileOf(command, file);
      const { inspect } = await import('./inspect.js');
      await inspect(path, command.optsWithGlobals<GlobalOptions & InspectOptions & AioOptions>());
    });
  program
    .command('certs')
    .argument(
      '[path...]',
      'directories, Ignition configs, live ISOs, kubeconfigs and PEM files to read instead of --dir',
    )
    .description('List certificates with expiry, issuer and location.')
    .option(
      '--warn-before <duration>',
      'exit with 1 if a certificate has expired or expires within this time, such as 14d',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install certs --dir site1\n' +
        '  sno-install certs site1.iso auth/kubeconfig --warn-before 14d --output json\n\n' +
        'Exit codes: 0 success, 1 a certificate has expired or expires within --warn-before, a path has no certificates\n' +
        'or cannot be read, 2 usage error. Without --warn-before, expiry does not change the exit code.',
    )
    .action(async (paths: readonly string[], _options: CertsOptions, command: Command) => {
      const { certs } = await import('./certs.js');
      await certs(paths, command.optsWithGlobals<GlobalOptions & CertsOptions>());
    });
  program
    .command('why <path>')
    .argument(...directory)
    .description('Show which asset wrote a file, unit or object, and which input fields it is based on.')
    .addOption(
      new Option('--target <target>', 'target that writes the output')
        .choices(targetList.map(({ name }) => name))
        .default(defaultTarget),
    )
    .addHelpText(
      'after',
      '\nPATH is an output, NAME.ign:/path, a path on the node, a unit, a manifest, or Kind/namespace/name.\n\n' +
        'Examples:\n  sno-install why /etc/motd --dir site1\n  sno-install why DNS/cluster --dir site1\n' +
        '  sno-install why kubelet.service --target aio-ignition --dir site1',
    )
    .action(async (path: string, _dir, _options: WhyOptions, command: Command) => {
      const { why } = await import('./why.js');
      await why(path, command.optsWithGlobals<GlobalOptions & WhyOptions>());
    });
}
