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
    .showHelpAfterError('(`sno-install --help` lists commands and options)')
    .exitOverride()
    .configureOutput({ writeErr: onRefusal })
    .version(programVersion, '--version', 'print the version alone')
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
  return program;
}

/** Omits an empty array as the default value. */
function describedOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: \[\]\)$/, '');
}

const mainHelp = `
Examples:
  sno-install create install-config --dir site1       write a commented install-config.yaml to fill in
  sno-install validate --dir site1                    find every mistake in it, before any machine boots
  sno-install create single-node-ignition-config --dir site1

Exit codes: 0 done, 1 the input has problems, 2 usage, 3 the output could not be written, 70 a bug of sno-install.`;

function addGlobalOptions(program: Command): void {
  program
    .addOption(
      once(program, 'dir', new Option('--dir <dir>', 'directory of the inputs and outputs').default('.')),
    )
    .addOption(
      once(
        program,
        'state',
        new Option('--state <file>', 'state file whose keys and other draws to reuse, or - for stdin'),
      ),
    )
    .addOption(
      once(
        program,
        'stateCommand',
        new Option('--state-command <command>', 'command that prints such a state, as "sops -d FILE"'),
      ),
    )
    .option('--identity <file>', 'identity of age that opens the state, may be repeated', collectValues)
    .addOption(
      once(
        program,
        'passphraseFile',
        new Option('--passphrase-file <file>', 'passphrase of the state, or of an identity file'),
      ),
    )
    .addOption(
      new Option('--log-level <level>', 'how much to say on stderr')
        .choices(['error', 'warn', 'info', 'debug'])
        .default('info'),
    )
    .addOption(
      new Option('--output <format>', 'form of the results')
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
    if (program.getOptionValueSource(name) === 'cli') throw new InvalidArgumentError('It is given twice.');
    return value;
  });
}

function addEnrich(program: Command): void {
  program
    .command('enrich')
    .description(
      "Write the installed node's Ignition config: the master's, and what the bootstrap made beside it.",
    )
    .requiredOption(
      '--asset-dir <dir>',
      'root of the live system, or a folder with openshift/, kubernetes/, bin/ (required)',
    )
    .requiredOption('--input <file>', "the master's config, as the machine-config server gives it (required)")
    // The program itself parses this option, because global options may precede or follow the command.
    .option('--output <file>', "the node's config, for its owner's eyes only (required)")
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
