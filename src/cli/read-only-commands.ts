import { Argument, type Command, Option } from 'commander';

import { defaultTarget, targetList } from '../run/targets.js';
import type { AioOptions, GlobalOptions, ImagesOptions, ValidateOptions } from './options.js';
import { directory, offlineFiles, outputOption } from './shared-options.js';

export function addValidate(program: Command): void {
  program
    .command('validate')
    .argument('[dir...]', 'directories to check instead of --dir')
    .description('Check the configuration and report every problem. Writes nothing.')
    .addOption(
      new Option('--target <target>', 'installation target')
        .choices(targetList.filter(({ offer }) => offer.makes === 'ignition').map(({ name }) => name))
        .default(defaultTarget),
    )
    .option(...offlineFiles)
    .addOption(outputOption('github', 'sarif', 'junit'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install validate --dir site1 --output json\n  sno-install validate sites/*/ --output github',
    )
    .action(async (dirs: readonly string[], options: ValidateOptions, command: Command) => {
      const { validate } = await import('./validate.js');
      const isDirGiven = program.getOptionValueSource('dir') === 'cli';
      await validate(dirs, { ...options, isDirGiven }, command.optsWithGlobals<GlobalOptions & AioOptions>());
    });
}

export function addImages(program: Command): void {
  program
    .command('images')
    .argument(...directory)
    .description('List the images and files that the machine downloads during the installation.')
    .addOption(
      new Option('--target <target>', 'installation target')
        .choices(targetList.filter(({ offer }) => offer.makes === 'ignition').map(({ name }) => name))
        .default(defaultTarget),
    )
    .option(...offlineFiles)
    .option('--payload <file>', 'list only images that this payload does not contain, also of manifests')
    .addOption(outputOption('imageset'))
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install images --dir site1\n' +
        '  sno-install images --dir site1 --output imageset > imageset-config.yaml\n\n' +
        "Images of the release payload are listed if imageReferences in sno-config.yaml names the payload's image list.",
    )
    .action(async (_dir, options: ImagesOptions, command: Command) => {
      const { listImages } = await import('./images.js');
      await listImages(options, command.optsWithGlobals<GlobalOptions & AioOptions>());
    });
}

export function addGraph(program: Command): void {
  program
    .command('graph')
    .addArgument(targetArgument())
    .description('Print the asset graph of a target.')
    .addOption(outputOption('dot', 'mermaid'))
    .addHelpText(
      'after',
      `\nTargets:\n${targetLines()}\n\nExample:\n  sno-install graph ${defaultTarget} --output mermaid`,
    )
    .action(async (target: string | undefined, _options, command: Command) => {
      const { printGraph } = await import('./graph.js');
      printGraph(target, command.optsWithGlobals<GlobalOptions>());
    });
}

export function addExplain(program: Command): void {
  program
    .command('explain [topic]')
    .description(
      'Explain an install-config or sno-config field, a problem code, or a fault that analyze found.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install explain networking.machineNetwork\n  sno-install explain config/unknown-field\n' +
        '  sno-install explain disk-cannot-be-marked',
    )
    .action(async (topic: string | undefined, _options, command: Command) => {
      const { explain } = await import('./explain.js');
      await explain(topic, command.optsWithGlobals<GlobalOptions>());
    });
}

export function addVersion(program: Command): void {
  program
    .command('version')
    .description('Print the version and the default release.')
    .addHelpText('after', '\nExample:\n  sno-install version --output json')
    .action(async (_options, command: Command) => {
      const { version } = await import('./version.js');
      version(command.optsWithGlobals<GlobalOptions>());
    });
}

export function addCompletion(program: Command): void {
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
      const { completion } = await import('./completion.js');
      completion(shell, program, command.optsWithGlobals<GlobalOptions>());
    });
}

/** The choices are for completion only; the `graph` command checks the value itself. */
function targetArgument(): Argument {
  const argument = new Argument('[target]', 'target to print');
  argument.argChoices = targetList.map(({ name }) => name);
  return argument;
}

function targetLines(): string {
  const width = Math.max(...targetList.map(({ name }) => name.length));
  return targetList.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n');
}
