import type { Command } from 'commander';

/** Source of the files that an all-in-one machine downloads. */
export const offlineFiles = [
  '--offline-files <url-or-dir>',
  'mirror of the files that an all-in-one machine fetches, or a copy of aio.mirror to check',
] as const;

export const renew = ['--renew', 'issue the certificates anew, from the same keys'] as const;

export const renewBefore = [
  '--renew-before <duration>',
  'the same when less than that is left of them, such as 10d',
] as const;

export const signKey = ['--sign-key <file>', 'sign receipt.json with this private key of SSH'] as const;

/** Argument parser of an option that may be repeated. */
export function collectValues(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Adds the encryption options of commands that write the state file. */
export function withRecipients(command: Command): Command {
  return command
    .option('--recipient <recipient>', 'encrypt the state to it, may be repeated (age1…)', collectValues)
    .option('--recipients-file <file>', 'the same for each line of a file, may be repeated', collectValues)
    .option('--passphrase', 'encrypt the state by a passphrase that is typed on the terminal');
}

/** Adds the encryption options of commands that write Ignition configs. */
export function withEncryptedOutputs(command: Command): Command {
  return withRecipients(command)
    .option('--encrypt-outputs', 'encrypt Ignition configs and auth/ as the state is, to NAME.age')
    .option('--no-encrypt-outputs', 'write them as plain text again');
}

/** Adds the kernel argument options for the live system and the installed node. */
export function addKernelArguments(command: Command): Command {
  return command
    .option(
      '--live-karg <arg>',
      'argument for the kernel of the live system, may be repeated',
      collectValues,
      [],
    )
    .option(
      '--dest-karg <arg>',
      'argument for the kernel of the installed node, may be repeated',
      collectValues,
      [],
    )
    .option(
      '--console <device>',
      'console of both, such as ttyS0,115200n8; may be repeated',
      collectValues,
      [],
    );
}
