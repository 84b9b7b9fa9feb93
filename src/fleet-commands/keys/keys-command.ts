import { InvalidArgumentError, Option, type Command } from 'commander';

import { offlineFiles } from '../../command-line/shared-options.js';
import { only } from '../../fleet-command-line/only-option.js';
import type { KeysOptions } from './keys-options.js';

/** Adds `fleet keys`. */
export function addFleetKeys(fleet: Command): void {
  fleet
    .command('keys')
    .description('Draw keys of sites ahead, encrypted, and say how many there are.')
    .addOption(
      new Option('--fill [keys]', 'draw until there are so many keys; without a number, for every site')
        .argParser(numberTo(10_000_000))
        .conflicts(['split', 'adopt']),
    )
    .option('--jobs <number>', 'how many cores draw (default: all)', numberTo(1024))
    .addOption(
      new Option('--split <parts>', 'move all keys into so many folders, for machines that share none')
        .argParser(numberTo(1000))
        .conflicts(['fill', 'adopt']),
    )
    .addOption(
      new Option('--adopt', 'make this copy the one that keys are taken from').conflicts(['fill', 'split']),
    )
    .option(...only)
    .option(...offlineFiles)
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install fleet keys --dir fleet --fill\n  sno-install fleet keys --dir fleet --fill 50000 --jobs 8\n' +
        '  sno-install fleet keys --dir fleet --split 3\n\n' +
        '`recipients` of fleet.yaml say who can read them. docs/fleet-keys.md says what is promised, and what is not.',
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<KeysOptions>();
      const { fleetKeys } = await import('./fleet-keys.js');
      await fleetKeys(options);
    });
}

function numberTo(most: number): (text: string) => number {
  return (text) => {
    const number = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > most)
      throw new InvalidArgumentError(`A number from 1 to ${most} is expected.`);
    return number;
  };
}
