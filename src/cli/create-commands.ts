import { InvalidArgumentError, Option, type Command } from 'commander';

import { bondOptionNames } from '../config/network/bond-options.js';
import { familyOf } from '../config/static-network.js';

import type { PayloadOptions } from './payload/create-payload.js';
import type {
  AioOptions,
  GlobalOptions,
  InstallConfigOptions,
  IsoOptions,
  PxeOptions,
  RecipientOptions,
  RenewOptions,
  SnoConfigOptions,
} from './options.js';
import {
  addKernelArguments,
  collectValues,
  directory,
  offlineFiles,
  renew,
  renewBefore,
  signKey,
  withEncryptedOutputs,
  withRecipients,
} from './shared-options.js';
import { defaultMinorRelease } from '../release/releases.js';
import type { Target } from '../run/target.js';
import { type CreatedTarget, isCreated, targetList, targets } from '../run/targets.js';

/** Adds `create` and its subcommands. */
export function addCreate(program: Command): void {
  const create = program
    .command('create')
    .description('Create configuration files, manifests, Ignition configs or boot media.')
    .addHelpText(
      'after',
      '\nShort names: ignition, aio, iso and pxe, as in `sno-install create iso site1 --iso rhcos-live.iso`.',
    );
  addConfigs(create);
  for (const { name } of targetList) if (isCreated(name)) addTarget(create, name);
  addCreateIso(create);
  addCreatePxe(create);
  addCreatePayload(create);
}

const shortNames: Readonly<Record<CreatedTarget, readonly string[]>> = {
  manifests: [],
  'single-node-ignition-config': ['ignition'],
  'aio-ignition': ['aio'],
};

function addTarget(create: Command, name: CreatedTarget): void {
  const { summary, offer }: Target = targets[name];
  const withKeeping = offer.makes === 'ignition' ? withEncryptedOutputs : withRecipients;
  const command = withKeeping(
    create
      .command(name)
      .aliases(shortNames[name])
      .argument(...directory)
      .description(`Write ${summary}.`),
  );
  if (offer.makes === 'ignition') {
    if (offer.fetchesFiles) command.option(...offlineFiles);
    command
      .option(...renew)
      .option(...renewBefore)
      .option(...signKey);
  }
  const details = offer.makes === 'ignition' && offer.details !== undefined ? `\n\n${offer.details}` : '';
  command
    .addHelpText('after', `\nExample:\n  sno-install create ${name} --dir site1${details}`)
    .action(async () => {
      const { createTarget } = await import('./create.js');
      await createTarget(
        name,
        command.optsWithGlobals<GlobalOptions & AioOptions & RenewOptions & RecipientOptions>(),
      );
    });
}

function addCreateIso(create: Command): void {
  const command = withEncryptedOutputs(create.command('single-node-iso').alias('iso'))
    .argument(...directory)
    .description('Create the Ignition configs and a live ISO that installs the node.')
    .requiredOption('--iso <file>', 'CoreOS live ISO, as from `sno-install media download` (required)')
    .option('--out <file>', 'output file, or - for stdout (default: single-node.iso in --dir)')
    .option('--payload <file>', 'payload to append to the ISO (default: payload.file, if it exists)')
    .option('--no-payload', 'write the ISO without the payload of the site')
    .option('--in-place', 'modify the file given by --iso')
    .option('--overwrite', 'replace existing output files')
    .option('--force', 'replace an embedded config, and accept an ISO of another release')
    .option('--minimal', 'write a minimal ISO; the live system downloads its root file system from --rootfs')
    .option('--rootfs <url>', 'with --minimal: URL where you serve the root file system')
    .option('--rootfs-out <file>', 'with --minimal: file to extract the root file system to')
    .option(...renew)
    .option(...renewBefore)
    .option(...signKey);
  addKernelArguments(command)
    .addHelpText(
      'after',
      `\nExamples:\n  sno-install media download --release ${defaultMinorRelease} --out rhcos-live.x86_64.iso\n` +
        '  sno-install create iso site1 --iso rhcos-live.x86_64.iso --out site1.iso\n' +
        '  sno-install create iso site1 --iso rhcos-live.x86_64.iso --out site1.iso --minimal \\\n' +
        '    --rootfs http://192.0.2.1/rootfs.img --rootfs-out rootfs.img\n\n' +
        'No other program is needed. The ISO contains private keys: only its owner can read it.',
    )
    .action(async (_dir, _options: IsoOptions, command: Command) => {
      const { createSingleNodeIso } = await import('./media/create-single-node-iso.js');
      await createSingleNodeIso(
        command.optsWithGlobals<GlobalOptions & IsoOptions & RenewOptions & RecipientOptions>(),
      );
    });
}

function addCreatePxe(create: Command): void {
  const command = withEncryptedOutputs(create.command('single-node-pxe').alias('pxe'))
    .argument(...directory)
    .description('Create the Ignition configs, an initramfs overlay and boot menu entries for PXE.')
    .requiredOption('--rootfs <url>', 'URL of the live root file system (required)')
    .option('--kernel <url>', 'URL of the live kernel (default: CoreOS file name, next to --rootfs)')
    .option('--initrd <url>', 'URL of the live initramfs (default: CoreOS file name, next to --rootfs)')
    .option(
      '--overlay <url>',
      'URL where you serve the initramfs overlay with the config (default: next to --rootfs)',
    )
    .option('--out <dir>', 'output directory (default: pxe in --dir)')
    .option('--force', 'accept an image of another release')
    .option('--no-payload', 'the machine has the payload of the site on a disk: do not warn')
    .option(...signKey);
  addKernelArguments(command)
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create single-node-pxe --dir site1 \\\n' +
        '    --rootfs http://192.0.2.1/rhcos-live-rootfs.x86_64.img\n\n' +
        'Nothing is downloaded. The initramfs overlay contains private keys: serve it only on a trusted network.',
    )
    .action(async (_dir, _options: PxeOptions, command: Command) => {
      const { createSingleNodePxe } = await import('./media/create-single-node-pxe.js');
      await createSingleNodePxe(command.optsWithGlobals<GlobalOptions & PxeOptions & RecipientOptions>());
    });
}

function addCreatePayload(create: Command): void {
  create
    .command('payload')
    .argument(...directory)
    .description('Copy all images of the release into one file, for sites without a registry.')
    .option('--out <file>', 'output file (default: the tag of the release with the suffix .payload)')
    .option(
      '--from <path>',
      'copy from a folder or archive of oc-mirror, an OCI layout or `dir:` folders instead of the registries; repeatable',
      collectValues,
    )
    .option('--overwrite', 'replace an existing payload')
    .addHelpText(
      'after',
      '\nExamples:\n  sno-install create payload site1 --out 4.22.0.payload\n' +
        '  sno-install create payload site1 --from oc-mirror-workspace --out 4.22.0.payload\n\n' +
        'The images are those of the release, of the manifests of the site, and of payload.yaml. Pull secret, proxy,\n' +
        'mirrors and trusted CAs come from install-config.yaml. One payload serves all sites with this release.\n' +
        'Needs mksquashfs (package squashfs-tools), and during the creation twice the size of the payload.',
    )
    .action(async (_dir, _options, command: Command) => {
      const { createPayloadFile } = await import('./payload/create-payload.js');
      await createPayloadFile(command.optsWithGlobals<GlobalOptions & PayloadOptions>());
    });
}

/** Adds the subcommands that write config templates. */
function addConfigs(create: Command): void {
  addCreateInstallConfig(create);
  addCreateSnoConfig(create);
}

function addCreateInstallConfig(create: Command): void {
  create
    .command('install-config')
    .argument(...directory)
    .description('Create a commented install-config.yaml. Never overwrites an existing file.')
    .option('--name <name>', 'cluster name')
    .option('--base-domain <domain>', 'base domain of the cluster')
    .option('--installation-disk <path>', 'installation disk, such as /dev/disk/by-id/wwn-…')
    .option('--machine-network <cidr>', 'network of the node, may be repeated', collectValues)
    .option('--cluster-network <cidr>', 'network of the pods, may be repeated', collectValues)
    .option('--service-network <cidr>', 'network of the Services, may be repeated', collectValues)
    .option('--ssh-key-file <file>', 'SSH public key for the user core')
    .option('--pull-secret-file <file>', 'downloaded pull secret')
    .option('--http-proxy <url>', 'proxy for HTTP')
    .option('--https-proxy <url>', 'proxy for HTTPS')
    .addOption(noProxyOption())
    .option('--additional-trust-bundle-file <file>', 'certificates of your authorities, in PEM')
    .option(
      '--mirror <source=mirror>',
      'mirror of an image repository (imageDigestSources), may be repeated',
      collectMirrors,
    )
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create install-config --dir site1 --name site1 --base-domain example.com \\\n' +
        '    --installation-disk /dev/disk/by-id/wwn-0x5000c500a1b2c3d4\n' +
        '\nOn a terminal, missing values are prompted for. Otherwise the file marks the values to fill in.\n' +
        'Ctrl-C keeps the answers in .install-config.yaml.draft.json, and the next run offers them. A pasted pull secret is not kept.',
    )
    .action(async (_dir, options: InstallConfigOptions, command: Command) => {
      const { createInstallConfig } = await import('./configs/create-install-config.js');
      await createInstallConfig(options, command.optsWithGlobals<GlobalOptions>());
    });
}

function collectMirrors(
  value: string,
  earlier: InstallConfigOptions['mirror'] = [],
): InstallConfigOptions['mirror'] {
  const [source, mirror] = halves(value, 'Write SOURCE=MIRROR.');
  return [...earlier, { source, mirror }];
}

function bondOf(value: string): SnoConfigOptions['bond'] {
  const [name, ports] = halves(value, 'Write NAME=PORT,PORT.');
  return { name, ports: ports.split(',') };
}

function addressesOf(value: string, earlier: readonly string[]): readonly string[] {
  if (!/^[^/]+\/\d+$/.test(value)) throw new InvalidArgumentError('Write ADDRESS/PREFIX.');
  return oneOfEachFamily(value, earlier);
}

function gatewaysOf(value: string, earlier: readonly string[]): readonly string[] {
  return oneOfEachFamily(value, earlier);
}

/** The second of a family would be silently lost or unused. */
function oneOfEachFamily(value: string, earlier: readonly string[]): readonly string[] {
  const family = familyOf(value);
  if (earlier.some((each) => familyOf(each) === family))
    throw new InvalidArgumentError(
      `There is one of ${family ?? 'this kind'} already: give one of IPv4 and one of IPv6.`,
    );
  return [...earlier, value];
}

function bondOptionsOf(
  value: string,
  earlier: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [name, setting] = halves(value, 'Write OPTION=VALUE, such as lacp_rate=fast.');
  if (!bondOptionNames.includes(name))
    throw new InvalidArgumentError(`Unknown option; there are ${bondOptionNames.join(', ')}.`);
  if (Object.hasOwn(earlier, name)) throw new InvalidArgumentError(`${name} can be given only once.`);
  return { ...earlier, [name]: setting };
}

function vlanOf(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('Write a number from 1 to 4094.');
  return Number(value);
}

function halves(value: string, form: string): readonly [string, string] {
  const [, left, right] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (left === undefined || right === undefined) throw new InvalidArgumentError(form);
  return [left, right];
}

function addCreateSnoConfig(create: Command): void {
  create
    .command('sno-config')
    .argument(...directory)
    .description('Create a commented sno-config.yaml with every field. Never overwrites an existing file.')
    .option('--hostname <name>', 'name of the node')
    .option('--node-ip <address>', 'address of the node')
    .option('--release-image <image>', 'release image to install')
    .option('--release-version <version>', 'release of an image without a version in its tag, such as 4.21')
    .option('--ntp-source <server>', 'NTP server of the node, may be repeated', collectValues, [])
    .option(
      '--address <cidr>',
      'static address of the node, such as 192.168.126.10/24; twice for dual stack',
      addressesOf,
      [],
    )
    .option('--gateway <address>', 'with --address: default gateway; twice for dual stack', gatewaysOf, [])
    .option('--dns-server <address>', 'with --address: DNS server, may be repeated', collectValues, [])
    .option('--interface <name>', 'with --address: network interface, by name or MAC address')
    .option(
      '--bond <name=ports>',
      'with --address: bond instead of an interface, such as bond0=eno1,eno2; ports by name or MAC address',
      bondOf,
    )
    .option('--bond-mode <mode>', 'mode of the bond, such as 802.3ad for LACP (default: active-backup)')
    .option(
      '--bond-option <name=value>',
      'option of the bond, such as miimon=100, lacp_rate=fast or xmit_hash_policy=layer3+4; may be repeated',
      bondOptionsOf,
    )
    .option('--vlan <id>', 'with --address: VLAN on the interface or bond', vlanOf)
    .option('--disk-serial <serial>', 'serial number of the installation disk, instead of installationDisk')
    .option(
      '--dest-karg <arg>',
      'kernel argument of the installed node, may be repeated; see `create iso --live-karg` for the live system',
      collectValues,
      [],
    )
    .option(
      '--local-dns',
      'resolve api, api-int and *.apps on the node itself; needs its address: --node-ip or --address',
    )
    .option(
      '--recipient <recipient>',
      'age recipient (age1…) to encrypt the state to, may be repeated',
      collectValues,
      [],
    )
    .addHelpText(
      'after',
      '\nExample:\n  sno-install create sno-config --dir site1 --hostname sno.example.com --node-ip 192.168.126.10\n' +
        '  sno-install create sno-config --dir site1 --address 192.168.126.10/24 --gateway 192.168.126.1 \\\n' +
        '    --dns-server 192.168.126.2 --bond bond0=eno1,eno2 --bond-mode 802.3ad --bond-option lacp_rate=fast --vlan 126\n' +
        '  sno-install create sno-config --dir site1 --interface 52:54:00:00:00:0a --disk-serial S6ESNX0R100123 \\\n' +
        '    --address 192.168.126.10/24 --gateway 192.168.126.1 --address 2001:db8::10/64 --gateway 2001:db8::1\n' +
        '\nThe file and all its fields are optional. Fields without a value are written as comments.',
    )
    .action(async (_dir, options: SnoConfigOptions, command: Command) => {
      const { createSnoConfig } = await import('./configs/create-sno-config.js');
      await createSnoConfig(options, command.optsWithGlobals<GlobalOptions>());
    });
}

/** Commander takes `--no-proxy` for the opposite of an option `--proxy`. */
function noProxyOption(): Option {
  const option = new Option('--no-proxy <list>', 'destinations without proxy, separated by commas');
  option.negate = false;
  return option;
}
