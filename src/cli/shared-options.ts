import { type Command, Option } from 'commander';

import { defaultTarget, targetList } from '../run/targets.js';
import type { OutputFormat } from './options.js';

/** Positional directory of a command, which sets `--dir`. */
export const directory = ['[dir]', 'directory to use instead of --dir'] as const;

/** Declares a file as an argument of this name or as `-f, --file`; `fileOf` returns it. */
export function withFile(command: Command, name: string, description: string): Command {
  return command
    .argument(`[${name}]`, description)
    .option('-f, --file <file>', `the same as ${name.toUpperCase()}`);
}

/** Returns the file of a command; ends with a usage error unless there is exactly one. */
export function fileOf(command: Command, argument: string | undefined): string {
  const { file } = command.opts<{ readonly file?: string }>();
  const [declared] = command.registeredArguments;
  if (argument !== undefined && file !== undefined)
    return command.error(`error: the file is given twice, as an argument and with '--file'`);
  return (
    argument ?? file ?? command.error(`error: missing required argument '${declared?.name() ?? 'file'}'`)
  );
}

/** Formats of every command. */
export const dataFormats: readonly OutputFormat[] = ['text', 'json', 'yaml'];

/** Declares `--output` of a command with additional formats. The program parses the option; this one is for help and completion. */
export function outputOption(...formats: readonly OutputFormat[]): Option {
  return new Option('-o, --output <format>', 'output format').choices([...dataFormats, ...formats]);
}

/** The target of a configuration directory that a command renders for a review. */
export function renderedTarget(): Option {
  return new Option('--target <target>', 'target to render a configuration directory for')
    .choices(targetList.filter(({ offer }) => offer.makes === 'ignition').map(({ name }) => name))
    .default(defaultTarget);
}

/** Source of the files that an all-in-one machine downloads. */
export const offlineFiles = [
  '--offline-files <url-or-dir>',
  'mirror to download the files of an all-in-one machine from, or a copy of aio.mirror to check',
] as const;

export const renew = ['--renew', 'reissue the certificates with the same keys'] as const;

export const renewBefore = [
  '--renew-before <duration>',
  'reissue certificates if the first expires within this time, such as 10d',
] as const;

export const signKey = ['--sign-key <file>', 'SSH private key to sign receipt.json with'] as const;

/** Argument parser of an option that may be repeated. */
export function collectValues(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Adds the encryption options of commands that write the state file. */
export function withRecipients(command: Command): Command {
  return command
    .option(
      '--recipient <recipient>',
      'age recipient (age1…) to encrypt the state to, may be repeated',
      collectValues,
    )
    .option('--recipients-file <file>', 'file with one recipient per line, may be repeated', collectValues)
    .option('--passphrase', 'encrypt the state with a passphrase typed on the terminal');
}

/** Adds the encryption options of commands that write Ignition configs. */
export function withEncryptedOutputs(command: Command): Command {
  return withRecipients(command)
    .option(
      '--encrypt-outputs',
      'encrypt Ignition configs and auth/ in the same way as the state, as NAME.age',
    )
    .option('--no-encrypt-outputs', 'write Ignition configs and auth/ unencrypted');
}

/** Adds the kernel argument options for the live system and the installed node. */
export function addKernelArguments(command: Command): Command {
  return command
    .option('--live-karg <arg>', 'kernel argument for the live system, may be repeated', collectValues, [])
    .option('--dest-karg <arg>', 'kernel argument for the installed node, may be repeated', collectValues, [])
    .option(
      '--console <device>',
      'console of the live system and the node, such as ttyS0,115200n8; may be repeated',
      collectValues,
      [],
    );
}
