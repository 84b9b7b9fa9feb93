import { Argument, Command, InvalidArgumentError, Option } from 'commander';

import { targets } from '../targets.js';
import { packageVersion } from '../disk/package.js';
import type {
  AioOptions,
  EnrichOptions,
  GlobalOptions,
  InstallConfigOptions,
  RenderOptions,
  ValidateOptions,
  RenewOptions,
} from './options.js';
import { addSupport } from './support-commands.js';
import { addWaitFor } from './wait-for-command.js';

/**
 * The command line. Each command's code is loaded when the command runs, so that `--help` costs no more than it must.
 * `onRefusal` gets what is said of a command line that is refused. Throws CommanderError for what commander itself ends: help,
 * version and usage.
 */
export function buildProgram(onRefusal: (text: string) => void): Command {
  const program = new Command('sno-install')
    .description('Turns an install-config.yaml into the Ignition configs of single-node OpenShift.')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .showHelpAfterError('(`sno-install --help` lists commands and options)')
    .exitOverride()
    .configureOutput({ writeErr: onRefusal })
    .version(packageVersion(), '--version', 'print the version alone')
    .addHelpText('after', mainHelp);
  addGlobalOptions(program);
  addCreate(program);
  addRender(program);
  addEnrich(program);
  addReaders(program);
  addWaitFor(program);
  addSupport(program);
  return program;
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
      once(program, 'state', new Option('--state <file>', 'state file whose keys and other draws to reuse')),
    )
    .addOption(
      new Option('--log-level <level>', 'how much to say on stderr')
        .choices(['error', 'warn', 'info', 'debug'])
        .default('info'),
    )
    .addOption(
      new Option('--output <format>', 'form of the results')
        .choices(outputFormats)
        // Any value at first: after `enrich` it is a file.
        .argParser((value) => value)
        .default('text'),
    )
    .hook('preAction', (_program, command) => {
      const { output } = program.opts<{ readonly output: string }>();
      if (command.name() === 'enrich' || outputFormats.includes(output)) return;
      const choices = outputFormats.join(', ');
      const fault = `option '--output <format>' argument '${output}' is invalid. Allowed choices are ${choices}.`;
      command.error(`error: ${fault}`);
    });
}

const outputFormats = ['text', 'json'];

const offlineFiles = [
  '--offline-files <url-or-dir>',
  'mirror of the files that an all-in-one machine fetches, or a copy of aio.mirror to check',
] as const;

/** An option that is refused when it is given again: which of the two was meant, nobody can say. */
function once(program: Command, name: string, option: Option): Option {
  return option.argParser((value) => {
    if (program.getOptionValueSource(name) === 'cli') throw new InvalidArgumentError('It is given twice.');
    return value;
  });
}

const renew = ['--renew', 'issue the certificates anew, from the same keys'] as const;
const renewBefore = [
  '--renew-before <duration>',
  'the same when less than that is left of them, such as 10d',
] as const;

function addCreate(program: Command): void {
  const create = program
    .command('create')
    .description('Write configs, manifests or Ignition configs.')
    .showHelpAfterError('(`sno-install create --help` lists what can be created)');
  addCreateInstallConfig(create);
  create
    .command('manifests')
    .description('Write manifests/ and openshift/ to edit before the Ignition configs are made.')
    .addHelpText('after', '\nExample:\n  sno-install create manifests --dir site1')
    .action(async (_options, command: Command) => {
      const { createTarget } = await import('./create.js');
      await createTarget('manifests', command.optsWithGlobals<GlobalOptions>());
    });
  create
    .command('single-node-ignition-config')
    .description('Write bootstrap-in-place-for-live-iso.ign, worker.ign, auth/ and metadata.json.')
    .option(...renew)
    .option(...renewBefore)
    .addHelpText('after', '\nExample:\n  sno-install create single-node-ignition-config --dir site1')
    .action(async (_options, command: Command) => {
      const { createTarget } = await import('./create.js');
      const options = command.optsWithGlobals<GlobalOptions & RenewOptions>();
      await createTarget('single-node-ignition-config', options);
    });
  create
    .command('aio-ignition')
    .description('Write aio.ign of an all-in-one control plane, auth/kubeconfig and metadata.json.')
    .option(...offlineFiles)
    .option(...renew)
    .option(...renewBefore)
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create aio-ignition --dir site1\n' +
        '\nkubelet, kubectl and CNI plugins are fetched at the first boot from where their projects publish them, each held\n' +
        'against its hash. --offline-files has them fetched from a mirror instead; docs/aio.md says how to make one.',
    )
    .action(async (_options, command: Command) => {
      const { createTarget } = await import('./create.js');
      await createTarget(
        'aio-ignition',
        command.optsWithGlobals<GlobalOptions & AioOptions & RenewOptions>(),
      );
    });
}

function addCreateInstallConfig(create: Command): void {
  create
    .command('install-config')
    .description('Write a commented install-config.yaml; an existing one is never overwritten.')
    .option('--name <name>', 'name of the cluster')
    .option('--base-domain <domain>', 'domain the cluster name is put before')
    .option('--installation-disk <path>', 'disk to install to, such as /dev/disk/by-id/wwn-…')
    .option('--machine-network <cidr>', 'network of the node')
    .option('--ssh-key-file <file>', 'public key for the user core')
    .option('--pull-secret-file <file>', 'pull secret, as downloaded')
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create install-config --dir site1 --name site1 --base-domain example.com \\\n' +
        '    --installation-disk /dev/disk/by-id/wwn-0x5000c500a1b2c3d4\n' +
        '\nWhat is not given is asked for on a terminal; elsewhere the file gets a marked place to fill in.',
    )
    .action(async (options: InstallConfigOptions, command: Command) => {
      const { createInstallConfig } = await import('./create-install-config.js');
      await createInstallConfig(options, command.optsWithGlobals<GlobalOptions>());
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
    // The program takes this one, since options may stand before and after a command.
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

function addRender(program: Command): void {
  program
    .command('render')
    .description('Write what is inside the Ignition configs as plain files to read.')
    .showHelpAfterError('(`sno-install render --help` lists what can be rendered)')
    .command('control-plane')
    .description('Write the static pods, their files, every object and which loop made it to control-plane/.')
    .addOption(
      new Option('--for <machine>', 'whose control plane')
        .choices(['single-node', 'aio'])
        .default('single-node'),
    )
    .addHelpText('after', '\nExample:\n  sno-install render control-plane --dir site1')
    .action(async (options: RenderOptions, command: Command) => {
      const { renderControlPlane } = await import('./render.js');
      await renderControlPlane(options.for, command.optsWithGlobals<GlobalOptions>());
    });
}

/** The graph itself says which targets there are; here they are for completion. */
function targetArgument(): Argument {
  const argument = new Argument('[target]', 'what to print the graph of');
  argument.argChoices = Object.keys(targets);
  return argument;
}

function addReaders(program: Command): void {
  program
    .command('validate')
    .argument('[dir...]', 'directories, in the place of --dir')
    .description('Find every problem of the inputs; write nothing.')
    .addOption(
      new Option('--target <target>', 'what the inputs are for')
        .choices(['single-node-ignition-config', 'aio-ignition'])
        .default('single-node-ignition-config'),
    )
    .option(...offlineFiles)
    .addOption(
      new Option('--format <format>', 'problems for a program that shows them').choices([
        'github',
        'sarif',
        'junit',
      ]),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install validate --dir site1 --output json\n  sno-install validate sites/*/ --format github',
    )
    .action(async (dirs: readonly string[], options: ValidateOptions, command: Command) => {
      const { validate } = await import('./validate.js');
      const isDirGiven = program.getOptionValueSource('dir') === 'cli';
      await validate(dirs, { ...options, isDirGiven }, command.optsWithGlobals<GlobalOptions & AioOptions>());
    });
  program
    .command('graph')
    .addArgument(targetArgument())
    .description('Print the asset graph of a target.')
    .addOption(new Option('--format <format>', 'form').choices(['dot', 'mermaid', 'json']).default('dot'))
    .addHelpText('after', '\nExample:\n  sno-install graph single-node-ignition-config --format mermaid')
    .action(async (target: string | undefined, options: { readonly format: string }, command: Command) => {
      const { printGraph } = await import('./graph.js');
      await printGraph(target, options.format, command.optsWithGlobals<GlobalOptions>());
    });
  program
    .command('explain <path-or-code>')
    .description('Explain an install-config or sno-config field, or a problem code.')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install explain networking.machineNetwork\n  sno-install explain config/unknown-field',
    )
    .action(async (topic: string, _options, command: Command) => {
      const { explain } = await import('./explain.js');
      await explain(topic, command.optsWithGlobals<GlobalOptions>());
    });
  program
    .command('version')
    .description('Print the version and the default release.')
    .addHelpText('after', '\nExample:\n  sno-install version --output json')
    .action(async (_options, command: Command) => {
      const { version } = await import('./version.js');
      version(command.optsWithGlobals<GlobalOptions>());
    });
  program
    .command('completion <shell>')
    .description('Print a completion script for bash, zsh, fish or powershell.')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install completion bash > /usr/share/bash-completion/completions/sno-install\n' +
        '  sno-install completion zsh > "${fpath[1]}/_sno-install"\n' +
        '  sno-install completion fish > ~/.config/fish/completions/sno-install.fish\n' +
        '  sno-install completion powershell >> $PROFILE',
    )
    .action(async (shell: string, _options, command: Command) => {
      const { completion } = await import('./completion/completion.js');
      completion(shell, program, command.optsWithGlobals<GlobalOptions>());
    });
}
