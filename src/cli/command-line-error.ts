import type { Command, CommanderError } from 'commander';

import { exitCodes } from './output/exit-codes.js';
import { report } from './output/report.js';
import { maskSecretArguments } from './mask-arguments.js';
import { downloadHint } from '../disk/image/image-file.js';
import { problem } from '../core/problem.js';
import { buildProgram } from './program.js';

/** Reports an error from commander: its text on stderr, or one object on stdout with `--output json`. */
export function reportCommandLineError(error: CommanderError, said: string, args: readonly string[]): void {
  const instead = openshiftInstallHint(args) ?? missingOptionHint(error) ?? elsewhereHint(error);
  const output = dataFormatIn(args);
  if (output === undefined) {
    const shown = maskSecretArguments(said, args);
    process.stderr.write(instead === undefined ? shown : `${shown}   = hint: ${instead}\n`);
    process.exitCode = exitCodes.usage;
    return;
  }
  const [first = '', ...rest] =
    error.code === 'commander.help' ? [missingCommand] : maskSecretArguments(error.message, args).split('\n');
  const usage = /^\((run `[^`]*` for usage)\)$/m.exec(said)?.[1] ?? '';
  const hint = [...rest.map((line) => line.replace(/^\(|\)$/g, '')), usage].filter(Boolean).join('; ');
  const found = problem('usage/unknown-argument', first.replace(/^error: /, ''), {
    hint: instead ?? (hint === '' ? 'run `sno-install --help` for usage' : hint),
  });
  report({ dir: '.', logLevel: 'info', output }, { problems: [found] });
}

/** Users of openshift-install do not expect to need a live ISO. */
function missingOptionHint({ code, message }: CommanderError): string | undefined {
  if (code !== 'commander.missingMandatoryOptionValue' && code !== 'commander.optionMissingArgument')
    return undefined;
  if (message.includes("'--iso <file>'")) return downloadHint();
  return message.includes("'--out <dir>'")
    ? 'name a folder that does not exist, such as `--out tree`'
    : undefined;
}

/** The commands with the typed name that belong to another command, such as `create iso` for `iso`. */
function elsewhereHint({ code, message }: CommanderError): string | undefined {
  const [, typed = ''] = /^error: unknown command '([^']*)'/.exec(message) ?? [];
  if (code !== 'commander.unknownCommand' || typed === '') return undefined;
  const found = commandLines(buildProgram(() => undefined)).filter((line) => line.endsWith(` ${typed}`));
  return found.length === 0 || found.length > 3
    ? undefined
    : `run ${found.map((line) => `\`sno-install${line}\``).join(' or ')}`;
}

/** The command lines of all commands below one, with their aliases, such as ` create iso`. */
function commandLines({ commands }: Command, before = ''): readonly string[] {
  return commands.flatMap((command) => [
    ...[command.name(), ...command.aliases()].map((name) => `${before} ${name}`),
    ...commandLines(command, `${before} ${command.name()}`),
  ]);
}

const missingCommand = 'a command is missing';

/** Finds `--output json` or `yaml` in arguments that commander could not parse. */
function dataFormatIn(args: readonly string[]): 'json' | 'yaml' | undefined {
  const end = args.indexOf('--');
  const options = (end === -1 ? args : args.slice(0, end)).join(' ');
  const [, format] = /(?:^| )(?:--output[= ]|-o ?)(json|yaml)(?= |$)/.exec(options) ?? [];
  return format === 'json' || format === 'yaml' ? format : undefined;
}

/**
 * Commands of openshift-install that users may type, with the equivalent here. Source: openshift/installer cmd/openshift-install
 */
const equivalents: readonly { readonly command: string; readonly hint: string }[] = [
  {
    command: 'create cluster',
    hint: 'run `sno-install create iso --iso rhcos-live.x86_64.iso --out site1.iso`, boot the machine from it, then run `sno-install wait-for install-complete`',
  },
  { command: 'create ignition-configs', hint: 'run `sno-install create single-node-ignition-config`' },
  {
    command: 'agent create',
    hint: 'run `sno-install create iso`, or `create single-node-ignition-config` and embed the config into the live ISO with coreos-installer',
  },
  { command: 'agent wait-for', hint: 'run `sno-install wait-for`' },
  {
    command: 'agent',
    hint: 'use `sno-install create single-node-ignition-config` to install a single node',
  },
  {
    command: 'destroy',
    hint: 'nothing was created outside of the node; wipe its disk and remove its DNS records',
  },
  {
    command: 'migrate',
    hint: 'deprecated install-config.yaml fields still work; `sno-install validate` lists their replacements',
  },
];

/** Returns the hint for a command of openshift-install; undefined for other words. */
function openshiftInstallHint(words: readonly string[]): string | undefined {
  const typed = words.filter((word) => !word.startsWith('-')).join(' ');
  return equivalents.find(({ command }) => typed === command || typed.startsWith(`${command} `))?.hint;
}
