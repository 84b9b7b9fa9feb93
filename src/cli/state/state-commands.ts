import type { Command } from 'commander';

import type { DecryptOptions, GlobalOptions, RecipientOptions, RotateOptions } from '../options.js';
import { withRecipients } from '../shared-options.js';

/** Adds `state` and its subcommands. */
export function addState(program: Command): void {
  const state = program
    .command('state')
    .description('Encrypt the state file, decrypt it, change its recipients, take keys out of it.')
    .showHelpAfterError('(`sno-install state --help` lists what can be done to it)');
  withRecipients(state.command('encrypt'))
    .description('Encrypt the state file in place.')
    .addHelpText(
      'after',
      '\nExamples:\n  age-keygen -o key.txt\n  sno-install state encrypt --dir site1 --recipient "$(age-keygen -y key.txt)"\n' +
        '  sno-install state encrypt --dir site1 --passphrase-file passphrase\n\n' +
        'Without --recipient, `state.recipients` of sno-config.yaml hold. It takes the form of age (age-encryption.org).',
    )
    .action(async (_options: RecipientOptions, command: Command) => {
      const { encryptState } = await import('./change-state.js');
      await encryptState(command.optsWithGlobals<GlobalOptions & RecipientOptions>());
    });
  state
    .command('decrypt')
    .description('Write the state file as plain text again.')
    .option('--out <file>', 'write it there, or to stdout (-), and leave the state file as it is')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install state decrypt --dir site1 --identity key.txt\n' +
        '  sno-install state decrypt --dir site1 --identity key.txt --out - | jq .cluster',
    )
    .action(async (_options: DecryptOptions, command: Command) => {
      const { decryptState } = await import('./change-state.js');
      await decryptState(command.optsWithGlobals<GlobalOptions & DecryptOptions>());
    });
  withRecipients(state.command('prune'))
    .description('Take keys out of the state file that are needed no more.')
    .requiredOption('--authorities', 'those of the authorities that sign for the first boot alone (required)')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install state prune --authorities --dir site1\n\n' +
        'For when the machine is installed: whoever gets the state then cannot issue certificates for it. The Ignition configs\n' +
        'hold the same keys: delete them too. Neither can be made again without a copy of the state from before.',
    )
    .action(async (_options: unknown, command: Command) => {
      const { pruneState } = await import('./prune-state.js');
      await pruneState(command.optsWithGlobals<GlobalOptions & RecipientOptions>());
    });
  withRecipients(state.command('rotate'))
    .description('Encrypt the state file anew: to other recipients, by another passphrase, or to the same.')
    .option('--new-passphrase-file <file>', 'passphrase that opens it from now on')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install state rotate --dir site1 --identity key.txt --recipients-file team.txt\n\n' +
        'Who could open an earlier copy still can: the keys of the cluster stay the same.',
    )
    .action(async (_options: RotateOptions, command: Command) => {
      const { rotateState } = await import('./change-state.js');
      await rotateState(command.optsWithGlobals<GlobalOptions & RotateOptions>());
    });
}
