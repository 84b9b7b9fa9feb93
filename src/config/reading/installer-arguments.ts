import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { deviceNameFault, devicePathFault, persistentNameHint } from '../rules/device-path.js';
import { kernelArgumentFault } from '../rules/sno/kernel-argument.js';
import { partitionIndexFault, partitionLabelFault } from '../rules/sno/saved-partition.js';
import type { CoreosInstaller } from '../schema/disk-schema.js';

/** An option of `coreos-installer install` with its value, or the device. */
export interface InstallerArgument {
  /** As written, such as `--save-partlabel` or `-n`; the device itself if there is no option. */
  readonly name: string;
  readonly value?: string;
  /** Position of the word with the value, or of the option without a value. */
  readonly index: number;
}

/** Options that set a field of `coreosInstaller`. Source: coreos-installer docs/cmd/install.md */
export const installerFields: Readonly<Record<string, keyof CoreosInstaller>> = {
  '--save-partlabel': 'savePartitionLabels',
  '--save-partindex': 'savePartitionIndexes',
  '--append-karg': 'appendKernelArguments',
  '--delete-karg': 'deleteKernelArguments',
};

/** Options that the installation always passes. */
export const impliedInstallerOptions: readonly string[] = ['--copy-network', '-n'];

/** The other options: the setting that has their effect, or the reason why none has. Source: the same. */
export const unsupportedInstallerOptions: Readonly<Record<string, string>> = {
  '--console': 'add console=… to coreosInstaller.appendKernelArguments in sno-config.yaml',
  '--platform': 'not needed: the installed system always uses platform metal',
  '--architecture': 'not needed: the image of the live system is installed, with its architecture',
  '--offline': 'not needed: the image is part of the live system',
  '--insecure': 'not needed: the image is part of the live system, without a signature check',
  '--insecure-ignition': 'not needed: the Ignition config is embedded',
  '--ignition-file': 'add a MachineConfig to openshift/: the installation generates the Ignition config',
  '--ignition-url': 'add a MachineConfig to openshift/: the installation generates the Ignition config',
  '--ignition-hash': 'not needed: the Ignition config is embedded',
  '--stream': 'boot the live medium of the system to install: its image is installed',
  '--image-url': 'boot the live medium of the system to install: its image is installed',
  '--image-file': 'boot the live medium of the system to install: its image is installed',
  '--stream-base-url': 'not needed: the image is part of the live system',
  '--network-dir': 'write network in sno-config.yaml',
  '--firstboot-args':
    'no field does this: add the arguments to coreosInstaller.appendKernelArguments in sno-config.yaml',
  '--config-file': 'write its options as fields of coreosInstaller in sno-config.yaml',
  '--preserve-on-error': 'no field does this',
  '--fetch-retries': 'not needed: nothing is downloaded',
  '--secure-ipl': 'no field does this',
};

const shortNames: Readonly<Record<string, string>> = {
  '-a': '--architecture',
  '-c': '--config-file',
  '-f': '--image-file',
  '-i': '--ignition-file',
  '-I': '--ignition-url',
  '-p': '--platform',
  '-s': '--stream',
  '-u': '--image-url',
  '--ignition': '--ignition-file',
};

/** Options without a value. Source: the same. */
const switches: ReadonlySet<string> = new Set([
  ...impliedInstallerOptions,
  ...['--insecure', '--insecure-ignition', '--offline', '--preserve-on-error', '--secure-ipl'],
]);

/** The hint for an option without a field; undefined for an option that coreos-installer does not have. */
export function installerOptionHint(name: string): string | undefined {
  return unsupportedInstallerOptions[shortNames[name] ?? name];
}

/** Reads options with their values, as coreos-installer does: `--name value` or `--name=value`. */
export function installerArgumentsOf(words: readonly string[]): readonly InstallerArgument[] {
  const found: InstallerArgument[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [, name, value] = /^(--?[A-Za-z-]+)=([^]*)$/.exec(word) ?? [];
    const following = words[index + 1];
    if (name !== undefined && value !== undefined) found.push({ name, value, index });
    else if (!word.startsWith('-') || switches.has(word) || following === undefined)
      found.push({ name: word, index });
    else {
      index += 1;
      found.push({ name: word, value: following, index });
    }
  }
  return found;
}

/** The variable of the original design. */
export const installerVariableName =
  'OPENSHIFT_INSTALL_EXPERIMENTAL_BOOTSTRAP_IN_PLACE_COREOS_INSTALLER_ARGS';

/**
 * Reads the variable of the original design, whose words became arguments of coreos-installer in a shell script.
 * Source: openshift/enhancements, single-node production deployment; openshift/installer at that time: getCoreosInstallerArgs.
 * Problems: usage/environment. Warnings: config/installation-disk-name.
 */
export function installerVariable(text: string): {
  readonly settings: Partial<CoreosInstaller>;
  /** The installation disk; absent if the variable names none, or several. */
  readonly disk?: string;
  readonly problems: readonly Problem[];
} {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (/["'\\$`;&|<>()]/.test(text))
    return refused(
      'contains a character that a shell would interpret',
      'write the arguments as fields of coreosInstaller in sno-config.yaml',
    );
  const given = installerArgumentsOf(words);
  const disks = given.filter(isDisk).map(({ name }) => name);
  const [disk, ...others] = new Set(disks);
  const valuesOf = (field: keyof CoreosInstaller): readonly string[] =>
    given.flatMap(({ name, value = '' }) => (installerFields[name] === field ? valuesIn(field, value) : []));
  return {
    settings: {
      savePartitionLabels: valuesOf('savePartitionLabels'),
      savePartitionIndexes: valuesOf('savePartitionIndexes'),
      appendKernelArguments: valuesOf('appendKernelArguments'),
      deleteKernelArguments: valuesOf('deleteKernelArguments'),
    },
    ...(disk !== undefined && others.length === 0 && { disk }),
    problems: [...given.flatMap(argumentProblems), ...(others.length === 0 ? [] : [severalDisks(disks)])],
  };
}

/** The argument of coreos-installer without an option. */
function isDisk({ name }: InstallerArgument): boolean {
  return !name.startsWith('-');
}

function severalDisks(disks: readonly string[]): Problem {
  return report(`it names several disks: ${disks.map(quoted).join(', ')}`, 'name one disk');
}

function report(message: string, hint?: string): Problem {
  return problem('usage/environment', `${installerVariableName}: ${message}`, { hint });
}

function diskProblems(disk: string): readonly Problem[] {
  const fault = devicePathFault('the disk', disk);
  if (fault !== undefined) return [report(fault.message, fault.hint)];
  const message = deviceNameFault(disk);
  if (message === undefined) return [];
  return [
    problem('config/installation-disk-name', `${installerVariableName}: ${message}`, {
      hint: persistentNameHint,
    }),
  ];
}

function refused(fault: string, hint: string): ReturnType<typeof installerVariable> {
  return {
    settings: {},
    problems: [problem('usage/environment', `${installerVariableName} ${fault}`, { hint })],
  };
}

/** The values of an option: coreos-installer splits those of partitions at commas. Source: src/cmdline/install.rs */
export function valuesIn(field: keyof CoreosInstaller, value: string): readonly string[] {
  return field.startsWith('save') ? value.split(',') : [value];
}

/** The fault of a value of an option; undefined if it is valid. */
export function installerFault(
  field: keyof CoreosInstaller,
  value: string,
): ReturnType<typeof kernelArgumentFault> {
  return faultsOf[field](value);
}

const faultsOf: Readonly<Record<keyof CoreosInstaller, typeof kernelArgumentFault>> = {
  savePartitionLabels: partitionLabelFault,
  savePartitionIndexes: partitionIndexFault,
  appendKernelArguments: kernelArgumentFault,
  deleteKernelArguments: kernelArgumentFault,
};

function argumentProblems(argument: InstallerArgument): readonly Problem[] {
  const { name, value } = argument;
  const field = installerFields[name];
  if (field !== undefined) {
    if (value === undefined) return [report(`${name} has no value`)];
    return valuesIn(field, value).flatMap((each) => {
      const fault = installerFault(field, each);
      return fault === undefined ? [] : [report(fault.message, fault.hint)];
    });
  }
  if (impliedInstallerOptions.includes(name)) return [];
  if (isDisk(argument)) return diskProblems(name);
  const hint = installerOptionHint(name);
  const shown = hint === undefined ? quoted(name) : name;
  return [report(`${shown} is not supported`, hint ?? 'coreos-installer has no such option')];
}

/** The settings of both, in this order. */
export function joinedInstallers(first: CoreosInstaller, second: Partial<CoreosInstaller>): CoreosInstaller {
  const join = (field: keyof CoreosInstaller): readonly string[] => [
    ...first[field],
    ...(second[field] ?? []),
  ];
  return {
    savePartitionLabels: join('savePartitionLabels'),
    savePartitionIndexes: join('savePartitionIndexes'),
    appendKernelArguments: join('appendKernelArguments'),
    deleteKernelArguments: join('deleteKernelArguments'),
  };
}
