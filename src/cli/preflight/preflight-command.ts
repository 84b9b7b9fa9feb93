import { type Command, Option } from 'commander';

import { defaultTarget, targetList } from '../../run/targets.js';
import type { AioOptions, GlobalOptions, PreflightOptions } from '../options.js';
import { collectValues, offlineFiles } from '../shared-options.js';

export function addPreflight(program: Command): void {
  program
    .command('preflight')
    .description(
      'Ask name servers, registries and time servers what the node will need of them; write nothing.',
    )
    .addOption(
      new Option('--target <target>', 'what the machine is')
        .choices(targetList.filter(({ offer }) => offer.makes === 'ignition').map(({ name }) => name))
        .default(defaultTarget),
    )
    .option(...offlineFiles)
    .option(
      '--dns-server <address>',
      'name server that the node asks, such as 192.0.2.53 or [2001:db8::53]:5353; may be repeated',
      collectValues,
      [],
    )
    .option('--timeout <duration>', 'how long each question may take', '15s')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install preflight --dir site1 --dns-server 192.0.2.53\n\n' +
        'Exits with 1 when something would fail, and says what the node may see differently.',
    )
    .action(async (options: PreflightOptions, command: Command) => {
      const { preflight } = await import('./preflight.js');
      await preflight(options, command.optsWithGlobals<GlobalOptions & AioOptions>());
    });
}
