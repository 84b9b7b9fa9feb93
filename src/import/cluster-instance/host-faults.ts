import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { parseEmbeddedJson } from '../resources/embedded-json.js';
import { hostNetwork } from '../resources/host-network.js';
import { nodeField, type Instance } from '../resources/instances.js';
import { diskHints, rootDevice } from '../resources/root-device.js';
import { nodeAt, pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';

/** Reports values of a host that are not imported although their field is. Problems: import/malformed. Warnings: import/no-place. */
export function hostFaults(instance: Instance, isDiskGiven: boolean): readonly Problem[] {
  const { file } = instance.resource;
  const hints = nodeField(instance, ['rootDeviceHints']);
  const config = nodeField(instance, ['nodeNetwork', 'config']);
  const map = nodeField(instance, ['nodeNetwork', 'interfaces']);
  return [
    ...(hints && !isDiskGiven ? surplusHints(hints.node, file, hints.path) : []),
    ...(config && map ? unusedAddresses(config.node, map.node, { file, path: map.path }) : []),
    ...installerArguments(instance),
  ];
}

/**
 * Reports disk hints that are ignored. A hub combines all hints; here only the first one that identifies a disk counts.
 * Warnings: import/no-place.
 */
export function surplusHints(hints: YamlNode, file: string, path: FieldPath): readonly Problem[] {
  const taken = rootDevice(hints)?.hint;
  return diskHints.flatMap((hint) => {
    const node = nodeAt(hints, [hint]);
    if (node === undefined || hint === taken || taken === undefined) return [];
    const at = { file, path: pathText([...path, hint]), ...node.span };
    const message = `${hint} is not imported: ${taken} already selects the disk`;
    return [problem('import/no-place', message, { at, hint: 'check that both match the same disk' })];
  });
}

/** Reports MAC addresses that the network configuration cannot use. Warnings: import/no-place. */
export function unusedAddresses(
  config: YamlNode,
  map: YamlNode,
  { file, path }: { readonly file: string; readonly path: FieldPath },
): readonly Problem[] {
  const { unused, contradicted } = hostNetwork(config, map.kind === 'list' ? map.items : []);
  const place = (item: YamlNode) => ({ file, path: pathText(path), ...item.span });
  return [
    ...unused.map((item) =>
      problem(
        'import/no-place',
        'the network has no interface with this name; its MAC address is not imported',
        {
          at: place(item),
          hint: 'add the interface to the network configuration, or remove this entry',
        },
      ),
    ),
    ...contradicted.map(({ item, reason }) =>
      problem('import/no-place', `macAddress is not imported: ${reason}`, {
        at: { ...place(item), ...nodeAt(item, ['macAddress'])?.span },
        hint: 'use the interface name of the kernel, as shown by `ip link`, or remove mac-address from the interface',
      }),
    ),
  ];
}

function installerArguments(instance: Instance): readonly Problem[] {
  const found = nodeField(instance, ['installerArgs']);
  if (found?.node.kind !== 'scalar') return [];
  const at = { file: instance.resource.file, path: pathText(found.path), ...found.node.span };
  const list = parseEmbeddedJson(found.node);
  if (list?.kind !== 'list') {
    const hint = `write a JSON list, for example '["--append-karg", "console=ttyS0"]'`;
    return [problem('import/malformed', 'installerArgs is not a JSON list', { at, hint })];
  }
  const words = list.items.map((item) => (item.kind === 'scalar' ? item.text : ''));
  return argumentsOf(words).flatMap(({ name, value }) => {
    if (taken.has(name)) return [];
    const shown = /^--[a-z-]+$/.test(name) ? name : 'unknown argument';
    const said = shown === name && value !== undefined && shownValues.has(name) ? ` ${quoted(value)}` : '';
    const message = `installerArgs: ${shown}${said} is not supported and is ignored`;
    const hint = consequences[name] ?? 'check whether the node needs it; the disk is written without it';
    return [problem('import/no-place', message, { at, hint })];
  });
}

/**
 * Arguments that are imported, or have no effect here: the network configuration of sno-config.yaml is always on the node.
 * Source: coreos-installer install --copy-network
 */
const taken: ReadonlySet<string> = new Set(['--append-karg', '--copy-network', '-n']);

/** Hints for arguments that are not imported. Source: coreos-installer docs/cmd/install.md */
const consequences: Readonly<Record<string, string>> = {
  '--save-partlabel':
    'the installation erases the whole disk, including partitions to keep; back up their data first, or install with the hub',
  '--save-partindex':
    'the installation erases the whole disk, including partitions to keep; back up their data first, or install with the hub',
  '--delete-karg': 'the kernel argument is kept; remove it with a MachineConfig',
  '--console': 'add console arguments to kernelArguments in sno-config.yaml',
  '--platform': 'the installed system always uses platform metal',
  '--architecture': 'the image of the live system is installed, with its architecture',
  '--offline': 'not needed: the image is part of the live system',
  '--insecure': 'not needed: the image is part of the live system, without a signature check',
  '--insecure-ignition': 'not needed: the Ignition config is embedded',
};

/** Arguments whose value is never a secret and may appear in a message. */
const shownValues: ReadonlySet<string> = new Set([
  '--save-partlabel',
  '--save-partindex',
  '--delete-karg',
  '--console',
  '--platform',
  '--architecture',
]);

/** Options without a value. Source: coreos-installer docs/cmd/install.md */
const switches: ReadonlySet<string> = new Set([
  ...['--copy-network', '-n', '--insecure', '--insecure-ignition', '--offline', '--preserve-on-error'],
  '--secure-ipl',
]);

/** Parses options with their values, written as `--name value` or `--name=value`. */
function argumentsOf(
  words: readonly string[],
): readonly { readonly name: string; readonly value?: string }[] {
  const found: { readonly name: string; readonly value?: string }[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const [name = '', ...rest] = (words[index] ?? '').split('=');
    if (rest.length > 0) found.push({ name, value: rest.join('=') });
    else if (switches.has(name) || !name.startsWith('-')) found.push({ name });
    else {
      const following = words.slice(index + 1);
      const end = following.findIndex((word) => word.startsWith('-'));
      const values = taken.has(name) ? following.slice(0, 1) : following.slice(0, end < 0 ? undefined : end);
      found.push({ name, ...(values.length > 0 && { value: values.join(' ') }) });
      index += values.length;
    }
  }
  return found;
}
