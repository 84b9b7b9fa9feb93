import type { Command } from 'commander';

import type { GlobalOptions, VerifyOptions } from '../options.js';

export function addVerify(program: Command): void {
  program
    .command('verify')
    .argument('[receipt...]', 'receipts, directories with receipts, or payloads, to check instead of --dir')
    .description(
      'Check that inputs and outputs still match the receipt written by `create`, and that payloads are whole.',
    )
    .option('--allowed-signers <file>', 'allowed signers file of ssh-keygen; makes the signature mandatory')
    .option('--signer <name>', 'required signer, by its name in --allowed-signers')
    .option('--iso <file>', 'live ISO that the boot medium was created from, if it was moved')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install verify --dir site1\n  sno-install verify sites/*/receipt.json --output json\n' +
        '  sno-install verify --dir site1 --allowed-signers signers --signer ci@example.com\n\n' +
        'Exit codes: 0 all files match, 1 a file differs or a receipt cannot be used, 2 usage error. Only files in the\n' +
        'directory of a receipt, and files named by options, are read.',
    )
    .action(async (named: readonly string[], _options: VerifyOptions, command: Command) => {
      const { verify } = await import('./verify.js');
      await verify(named, command.optsWithGlobals<GlobalOptions & VerifyOptions>());
    });
}
