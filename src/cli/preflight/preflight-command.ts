import { type Command, Option } from 'commander';

import { defaultTarget, targetList } from '../../run/targets.js';
import type { AioOptions, GlobalOptions, PreflightOptions } from '../options.js';
import { collectValues, directory, offlineFiles } from '../shared-options.js';

export function addPreflight(program: Command): void {
  program
    .command('preflight')
    .argument(...directory)
    .description('Check the DNS records, registries and time servers that the node needs. Writes nothing.')
    .addOption(
      new Option('--target <target>', 'installation target')
        .choices(targetList.filter(({ offer }) => offer.makes === 'ignition').map(({ name }) => name))
        .default(defaultTarget),
    )
    .option(...offlineFiles)
    .option(
      '--dns-server <address>',
      'name server of the node, such as 192.0.2.53 or [2001:db8::53]:5353; may be repeated',
      collectValues,
      [],
    )
    .option('--timeout <duration>', 'time limit for each check', '15s')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install preflight --dir site1 --dns-server 192.0.2.53\n\n' +
        'Exits with 1 if a check fails. The report lists results that may differ on the node.',
    )
    .action(async (_dir, options: PreflightOptions, command: Command) => {
      const { preflight } = await import('./preflight.js');
      await preflight(options, command.optsWithGlobals<GlobalOptions & AioOptions>());
    });
}
