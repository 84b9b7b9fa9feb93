import type { Command } from 'commander';

import type { GlobalOptions, VerifyOptions } from '../options.js';

export function addVerify(program: Command): void {
  program
    .command('verify')
    .argument('[receipt...]', 'receipts, or folders with some, in the place of --dir')
    .description('Say whether outputs and inputs are still what the receipt of `create` names.')
    .option('--allowed-signers <file>', 'who may sign, as ssh-keygen has it: the signature is asked for')
    .option('--signer <name>', 'whose signature it is to be, by the name in that file')
    .option('--iso <file>', 'the live ISO that a medium is to be made of, where it lies elsewhere')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install verify --dir site1\n  sno-install verify sites/*/receipt.json --output json\n' +
        '  sno-install verify --dir site1 --allowed-signers signers --signer ci@example.com\n\n' +
        'Exit codes: 0 all is as it was, 1 something is not or a receipt cannot be used, 2 usage. Nothing outside of the\n' +
        'folder of a receipt is read but what options name.',
    )
    .action(async (named: readonly string[], _options: VerifyOptions, command: Command) => {
      const { verify } = await import('./verify.js');
      await verify(named, command.optsWithGlobals<GlobalOptions & VerifyOptions>());
    });
}
