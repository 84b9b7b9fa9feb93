import { dirname } from 'node:path';

import { Command, Help, InvalidArgumentError, Option } from 'commander';

import { programVersion } from '../core/program-version.js';
import { fileSize } from '../disk/file-size.js';
import { shellWord } from '../formats/shell-word.js';
import { addApply } from './apply/apply-command.js';
import { addCreate } from './create-commands.js';
import type { EnrichOptions, GlobalOptions } from './options.js';
import { addPreflight } from './preflight/preflight-command.js';
import { addDiff } from './diff/diff-commands.js';
import { addFleet } from './fleet/fleet-commands.js';
import { addImport } from './import/import-commands.js';
import {
  addCompletion,
  addExplain,
  addGraph,
  addImages,
  addValidate,
  addVersion,
} from './read-only-commands.js';
import { addInspectCommands } from './reading/inspect-commands.js';
import { collectValues, dataFormats } from './shared-options.js';
import { addMedia } from './media/media-commands.js';
import { addPayload } from './payload/payload-commands.js';
import { addVerify } from './receipt/verify-command.js';
import { addRender } from './render/render-commands.js';
import { addServe } from './serve/serve-command.js';
import { addState } from './state/state-commands.js';
import { addSupport } from './support-commands.js';
import { addWaitFor } from './wait/wait-for-command.js';

/**
 * Builds the command line parser. Each command's code is loaded when it runs, so that `--help` is fast. `onRefusal` receives the
 * messages of commander about an invalid command line. Throws CommanderError for help, version and usage errors.
 */
export function buildProgram(onRefusal: (text: string) => void): Command {
  const program = new Command('sno-install')
    .description('Turns an install-config.yaml into the Ignition configs of single-node OpenShift.')
    .configureHelp({
      showGlobalOptions: true,
      optionDescription: describedOption,
      subcommandTerm: (command) => command.name(),
    })
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeErr: onRefusal })
    .version(programVersion, '--version', 'print the version')
    .addHelpText('after', mainHelp);
  addGlobalOptions(program);
  for (const [group, ...adders] of commandGroups) {
    program.commandsGroup(group);
    for (const add of adders) add(program);
  }
  for (const command of program.commands) command.summary(summaries[command.name()] ?? command.description());
  program.helpCommand('help [command]', 'Display help for a command.');
  addHelpHints(program);
  return program;
}

/** The commands in the order and groups of the help. */
const commandGroups: readonly (readonly [
  heading: string,
  ...adders: readonly ((program: Command) => void)[],
])[] = [
  ['Configure:', addImport, addExplain, addValidate, addPreflight, addImages, addState],
  ['Build:', addMedia, addCreate, addPayload, addRender],
  ['Review:', addDiff, addInspectCommands, addVerify],
  ['Install:', addServe, addWaitFor, addApply, addSupport],
  ['Fleet:', addFleet],
  ['Advanced:', addEnrich, addGraph, addVersion, addCompletion],
];

/** What `--help` prints for each command; each fits one line of 80 columns. */
const summaries: Readonly<Record<string, string>> = {
  import: 'Convert configuration from another installer.',
  explain: 'Explain a field, a problem code or a fault.',
  validate: 'Report every problem of the configuration.',
  preflight: 'Check DNS records, registries and time servers.',
  images: 'List the images that the machine downloads.',
  state: 'Encrypt, decrypt or prune the state file.',
  media: 'Download the live ISO of a release.',
  create: 'Create configs, Ignition configs or boot media.',
  payload: 'Write a payload to a USB stick or disk.',
  render: 'Write Ignition configs as plain files.',
  diff: 'Compare what two configs put on a node.',
  golden: 'Write reproducible golden files to commit.',
  inspect: 'Show what an Ignition config or ISO contains.',
  certs: 'List certificates with expiry and issuer.',
  why: 'Show which input fields a file is based on.',
  verify: 'Check files against the receipt of `create`.',
  serve: 'Stream a per-site live ISO over HTTPS.',
  'wait-for': 'Wait for an installation to complete.',
  apply: 'Apply the configuration of a site to its cluster.',
  gather: 'Collect a log bundle from the node over SSH.',
  analyze: 'Show why an installation failed.',
  fleet: 'Manage many sites that share one base.',
  enrich: 'Create the Ignition config of the installed node.',
  graph: 'Print the asset graph of a target.',
  version: 'Print the version and the default release.',
  completion: 'Print a shell completion script.',
};

/** Commands that never write files: summaries of problems do not mention that nothing was written. */
const readOnlyCommands: ReadonlySet<string> = new Set(
  [
    'explain',
    'validate',
    'preflight',
    'images',
    'diff',
    'inspect',
    'certs',
    'why',
    'verify',
    'apply',
    'analyze',
    'graph',
    'version',
    'fleet validate',
    'fleet apply',
    'fleet certs',
    'fleet diff',
    'fleet drift',
    'fleet why',
  ].map((name) => `sno-install ${name}`),
);

/** Makes usage errors of each command end with a hint at its `--help`. */
function addHelpHints(command: Command): void {
  command.showHelpAfterError(`(run \`${pathOf(command)} --help\` for usage)`);
  for (const subcommand of command.commands) addHelpHints(subcommand);
}

/** The command with its parents, such as `sno-install fleet validate`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Omits an empty array as the default value. */
function describedOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: \[\]\)$/, '');
}

const mainHelp = `
Examples:
  sno-install create install-config site1             write a commented install-config.yaml to fill in
  sno-install validate site1                          report every mistake before a machine boots
  sno-install create iso site1 --iso rhcos-live.iso   write a live ISO that installs the node

Exit codes: 0 success, 1 problems in the input, 2 usage error, 3 output not written, 70 bug in sno-install.`;

function addGlobalOptions(program: Command): void {
  program
    .addOption(
      once(
        program,
        'dir',
        new Option('--dir <dir>', 'directory of the configuration and the outputs').default('.'),
      ),
    )
    .addOption(
      once(
        program,
        'state',
        new Option('--state <file>', 'state file with the keys and IDs to reuse, or - for stdin'),
      ),
    )
    .addOption(
      once(
        program,
        'stateCommand',
        new Option('--state-command <command>', 'command that prints the state, such as "sops -d FILE"'),
      ),
    )
    .option('--identity <file>', 'age identity file that decrypts the state, may be repeated', collectValues)
    .addOption(
      once(
        program,
        'passphraseFile',
        new Option(
          '--passphrase-file <file>',
          'file with the passphrase of the state or of an identity file',
        ),
      ),
    )
    .addOption(
      new Option('--log-level <level>', 'log level on stderr')
        .choices(['error', 'warn', 'info', 'debug'])
        .default('info'),
    )
    .addOption(
      new Option('-o, --output <format>', 'output format')
        .choices(dataFormats)
        // Accepts any value here; the hook below knows the formats of the command.
        .argParser((value) => value)
        .default('text'),
    )
    .hook('preAction', (_program, command) => {
      checkFormat(program, command);
      checkDirectories(program, command);
      if (readOnlyCommands.has(pathOf(command))) program.setOptionValue('isReadOnly', true);
    });
}

function checkFormat(program: Command, command: Command): void {
  const { output } = program.opts<{ readonly output: string }>();
  const formats: readonly string[] =
    command.options.find(({ long }) => long === '--output')?.argChoices ?? dataFormats;
  if (formats.includes(output)) return;
  const fault = `option '-o, --output <format>' argument '${output}' is invalid`;
  command.error(`error: ${fault}. Allowed choices are ${formats.join(', ')}.`);
}

/** Rejects a file in place of a directory, and sets `--dir` from the positional directory. */
function checkDirectories(program: Command, command: Command): void {
  const { dir } = program.opts<{ readonly dir: string }>();
  if (fileSize(dir) !== undefined)
    command.error(`error: '${dir}' is a file, use: \`--dir ${shellWord(dirname(dir))}\``);
  const index = command.registeredArguments.findIndex((argument) => argument.name() === 'dir');
  if (index === -1) return;
  const value = command.processedArgs[index] as string | readonly string[] | undefined;
  for (const path of [value ?? []].flat()) {
    if (fileSize(path) === undefined) continue;
    command.error(`error: '${path}' is a file, use: \`${pathOf(command)} ${dirname(path)}\``);
  }
  if (typeof value !== 'string') return;
  if (program.getOptionValueSource('dir') === 'cli')
    command.error("error: the directory is given twice, as an argument and with '--dir'");
  program.setOptionValueWithSource('dir', value, 'cli');
}

/** Rejects a repeated option instead of silently using the last value. */
function once(program: Command, name: string, option: Option): Option {
  return option.argParser((value) => {
    if (program.getOptionValueSource(name) === 'cli')
      throw new InvalidArgumentError('It can be given only once.');
    return value;
  });
}

function addEnrich(program: Command): void {
  program
    .command('enrich')
    .description(
      "Create the Ignition config of the installed node from the master config and the bootstrap's files.",
    )
    .requiredOption(
      '--asset-dir <dir>',
      'root of the live system, or a directory with openshift/, kubernetes/ and bin/ (required)',
    )
    .requiredOption('--input <file>', 'master Ignition config from the machine-config server (required)')
    .requiredOption('--out <file>', 'output file, readable only by its owner (required)')
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () =>
        program.options.filter(({ long }) => long === '--log-level' || long === '--output'),
    })
    .addHelpText(
      'after',
      '\nExample:\n  sno-install enrich --asset-dir /run/site1-live --input original-master.ign --out master.ign',
    )
    .action(async (options: EnrichOptions, command: Command) => {
      const { enrichMaster } = await import('./enrich.js');
      enrichMaster(options, command.optsWithGlobals<GlobalOptions>());
    });
}
