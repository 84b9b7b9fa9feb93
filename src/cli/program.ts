import { Command, Help, InvalidArgumentError, Option } from 'commander';

import { programVersion } from '../core/program-version.js';
import { addCreate } from './create-commands.js';
import type { EnrichOptions, GlobalOptions } from './options.js';
import { addPreflight } from './preflight/preflight-command.js';
import { addDiff } from './diff/diff-commands.js';
import { addFleet } from './fleet/fleet-commands.js';
import { addImport } from './import/import-commands.js';
import { addReadOnlyCommands } from './read-only-commands.js';
import { addInspectCommands } from './reading/inspect-commands.js';
import { collectValues } from './shared-options.js';
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
    .configureHelp({ showGlobalOptions: true, optionDescription: describedOption })
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeErr: onRefusal })
    .version(programVersion, '--version', 'print the version')
    .addHelpText('after', mainHelp);
  addGlobalOptions(program);
  addCreate(program);
  addRender(program);
  addInspectCommands(program);
  addState(program);
  addEnrich(program);
  addReadOnlyCommands(program);
  addPreflight(program);
  addDiff(program);
  addVerify(program);
  addFleet(program);
  addImport(program);
  addServe(program);
  addWaitFor(program);
  addSupport(program);
  addHelpHints(program, program.name());
  return program;
}

/** Makes usage errors of each command end with a hint at its `--help`. */
function addHelpHints(command: Command, path: string): void {
  command.showHelpAfterError(`(run \`${path} --help\` for usage)`);
  for (const subcommand of command.commands) addHelpHints(subcommand, `${path} ${subcommand.name()}`);
}

/** Omits an empty array as the default value. */
function describedOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: \[\]\)$/, '');
}

const mainHelp = `
Examples:
  sno-install create install-config --dir site1       write a commented install-config.yaml to fill in
  sno-install validate --dir site1                    report every mistake before a machine boots
  sno-install create single-node-ignition-config --dir site1

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
      new Option('--output <format>', 'output format')
        .choices(outputFormats)
        // Accept any value here, because after `enrich` it is a file name. The hook below checks it.
        .argParser((value) => value)
        .default('text'),
    )
    .hook('preAction', (_program, command) => {
      const { output } = program.opts<{ readonly output: string }>();
      const formats = command.options.find(({ long }) => long === '--output')?.argChoices ?? outputFormats;
      if (command.name() === 'enrich' || formats.includes(output)) return;
      const choices = formats.join(', ');
      const fault = `option '--output <format>' argument '${output}' is invalid. Allowed choices are ${choices}.`;
      command.error(`error: ${fault}`);
    });
}

const outputFormats = ['text', 'json'];

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
    // The program itself parses this option, because global options may precede or follow the command.
    .option('--output <file>', 'output file, readable only by its owner (required)')
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => program.options.filter(({ long }) => long === '--log-level'),
    })
    .addHelpText(
      'after',
      '\nExample:\n  sno-install enrich --asset-dir /run/site1-live --input original-master.ign --output master.ign',
    )
    .action(async (options: Omit<EnrichOptions, 'output'>, command: Command) => {
      const { output, ...globals } = command.optsWithGlobals<Omit<GlobalOptions, 'output'> & EnrichOptions>();
      if (program.getOptionValueSource('output') === 'default') {
        command.error("error: required option '--output <file>' not specified");
      }
      const { enrichMaster } = await import('./enrich.js');
      enrichMaster({ ...options, output }, { ...globals, output: 'text' });
    });
}
