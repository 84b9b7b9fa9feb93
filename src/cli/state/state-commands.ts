import type { Command } from 'commander';

import type { DecryptOptions, GlobalOptions, RecipientOptions, RotateOptions } from '../options.js';
import { directory, withRecipients } from '../shared-options.js';

/** Adds `state` and its subcommands. */
export function addState(program: Command): void {
  const state = program
    .command('state')
    .description('Encrypt, decrypt or re-encrypt the state file, or remove keys from it.');
  withRecipients(state.command('encrypt'))
    .argument(...directory)
    .description('Encrypt the state file in place.')
    .addHelpText(
      'after',
      '\nExamples:\n  age-keygen -o key.txt\n  sno-install state encrypt --dir site1 --recipient "$(age-keygen -y key.txt)"\n' +
        '  sno-install state encrypt --dir site1 --passphrase-file passphrase\n\n' +
        'The default recipients are `state.recipients` in sno-config.yaml. The file format is age (age-encryption.org).',
    )
    .action(async (_dir, _options: RecipientOptions, command: Command) => {
      const { encryptState } = await import('./change-state.js');
      await encryptState(command.optsWithGlobals<GlobalOptions & RecipientOptions>());
    });
  state
    .command('decrypt')
    .argument(...directory)
    .description('Decrypt the state file in place, or to --out.')
    .option('--out <file>', 'file to write, or - for stdout; the state file stays encrypted')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install state decrypt --dir site1 --identity key.txt\n' +
        '  sno-install state decrypt --dir site1 --identity key.txt --out - | jq .cluster',
    )
    .action(async (_dir, _options: DecryptOptions, command: Command) => {
      const { decryptState } = await import('./change-state.js');
      await decryptState(command.optsWithGlobals<GlobalOptions & DecryptOptions>());
    });
  withRecipients(state.command('prune'))
    .argument(...directory)
    .description('Remove keys that are no longer needed from the state file.')
    .requiredOption(
      '--authorities',
      'remove the keys of authorities that are needed only for the first boot (required)',
    )
    .addHelpText(
      'after',
      '\nExample:\n  sno-install state prune --authorities --dir site1\n\n' +
        'Run it after the installation, so that a stolen state file cannot be used to issue certificates for the cluster. The\n' +
        'Ignition configs contain the same keys: delete them too. Creating them again requires an earlier copy of the state.',
    )
    .action(async (_dir, _options: unknown, command: Command) => {
      const { pruneState } = await import('./prune-state.js');
      await pruneState(command.optsWithGlobals<GlobalOptions & RecipientOptions>());
    });
  withRecipients(state.command('rotate'))
    .argument(...directory)
    .description('Re-encrypt the state file, optionally to other recipients or with another passphrase.')
    .option('--new-passphrase-file <file>', 'file with the new passphrase')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install state rotate --dir site1 --identity key.txt --recipients-file team.txt\n\n' +
        'Earlier copies of the file can still be decrypted as before, and contain the same cluster keys.',
    )
    .action(async (_dir, _options: RotateOptions, command: Command) => {
      const { rotateState } = await import('./change-state.js');
      await rotateState(command.optsWithGlobals<GlobalOptions & RotateOptions>());
    });
}
