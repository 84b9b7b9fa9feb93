import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { parseEmbeddedJson } from '../resources/embedded-json.js';
import { hostNetwork } from '../resources/host-network.js';
import { architectures, encryptionOf } from '../resources/instance-values.js';
import { clusterField, nodeField, placeOf, type Found, type Instance } from '../resources/instances.js';
import { textAt } from '../resources/resources.js';
import { rootDevice } from '../resources/root-device.js';
import { nodeLabelFault } from '../../config/rules/sno/node-labels.js';
import {
  impliedInstallerOptions,
  installerArgumentsOf,
  installerFault,
  installerFields,
  installerOptionHint,
  valuesIn,
  type InstallerArgument,
} from '../../config/reading/installer-arguments.js';
import { nodeAt, pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';

/** Reports values of a host that are not imported although their field is. Problems: import/malformed. Warnings: import/no-place. */
export function hostFaults(instance: Instance): readonly Problem[] {
  const { file } = instance.resource;
  const config = nodeField(instance, ['nodeNetwork', 'config']);
  const map = nodeField(instance, ['nodeNetwork', 'interfaces']);
  return [
    ...(map ? unusedAddresses(config?.node, map.node, { file, path: map.path }) : []),
    ...installerArguments(instance),
    ...labelFaults(instance),
    ...encryptionFaults(instance),
    ...architectureFaults(instance),
    ...platformFaults(instance),
  ];
}

/** Reports a platform whose integration the site will not have. Warnings: import/no-place. */
function platformFaults(instance: Instance): readonly Problem[] {
  const found = clusterField(instance, ['platformType']);
  const isNone = found?.node.kind === 'scalar' && /^(?:none|baremetal)$/i.test(found.node.text);
  if (found === undefined || isNone) return [];
  const shown = found.node.kind === 'scalar' ? ` ${quoted(found.node.text)}` : '';
  const message = `platformType${shown} is not imported: the site is installed with platform none`;
  const hint = isExternalPlatform(found)
    ? 'write "external:" with platformName and cloudControllerManager below platform in install-config.yaml'
    : 'check that the site needs no storage or load balancers of this platform';
  return [problem('import/no-place', message, { at: placeOf(instance, found), hint })];
}

function isExternalPlatform({ node }: Found): boolean {
  return node.kind === 'scalar' && /^external$/i.test(node.text);
}

/** Reports an architecture without an equivalent: `multi` of a cluster whose node names no architecture. Warnings: import/no-place. */
function architectureFaults(instance: Instance): readonly Problem[] {
  const found = nodeField(instance, ['cpuArchitecture']) ?? clusterField(instance, ['cpuArchitecture']);
  if (found === undefined || (found.node.kind === 'scalar' && found.node.text in architectures)) return [];
  const shown = found.node.kind === 'scalar' ? ` ${quoted(found.node.text)}` : '';
  const message = `cpuArchitecture${shown} is not imported: the site is installed for amd64`;
  const hint = 'set cpuArchitecture of the node to x86_64, aarch64, ppc64le or s390x';
  return [problem('import/no-place', message, { at: placeOf(instance, found), hint })];
}

/** Reports hints that a disk in install-config.yaml replaces. Warnings: import/no-place. */
export function unusedHints(hints: YamlNode, file: string, path: FieldPath): readonly Problem[] {
  const { disk, hints: described } = rootDevice(hints);
  if (disk === undefined && described === undefined) return [];
  const at = { file, path: pathText(path), ...hints.span };
  const message = 'rootDeviceHints is not imported: bootstrapInPlace already names the disk';
  return [problem('import/no-place', message, { at, hint: 'check that both match the same disk' })];
}

/** Reports MAC addresses that the network configuration cannot use. Warnings: import/no-place. */
export function unusedAddresses(
  config: YamlNode | undefined,
  map: YamlNode,
  { file, path }: { readonly file: string; readonly path: FieldPath },
): readonly Problem[] {
  if (config === undefined) {
    if (map.kind === 'list' && map.items.length === 0) return [];
    const message = 'the MAC addresses are not imported: no network configuration uses them';
    const hint =
      'without network in sno-config.yaml every interface uses DHCP; describe the network, or remove the list';
    return [problem('import/no-place', message, { at: { file, path: pathText(path), ...map.span }, hint })];
  }
  const items = map.kind === 'list' ? map.items : [map];
  const { unused, contradicted } = hostNetwork(config, items);
  const place = (item: YamlNode) => ({ file, path: pathText(path), ...item.span });
  const incomplete = items.filter((item) =>
    ['name', 'macAddress'].some((key) => textAt(item, [key]) === undefined),
  );
  return [
    ...incomplete.map((item) =>
      problem('import/no-place', 'an interface without name or macAddress is not imported', {
        at: place(item),
        hint: 'write name and macAddress',
      }),
    ),
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

/** Reports encryption that the site will not have. Warnings: import/no-place. */
function encryptionFaults(instance: Instance): readonly Problem[] {
  const found = clusterField(instance, ['diskEncryption']);
  const type = found && textAt(found.node, ['type']);
  if (found === undefined || type === 'none' || encryptionOf(found.node) !== undefined) return [];
  // Without a type, the disk is not encrypted.
  if (type === undefined && found.node.kind === 'map' && found.node.entries.length === 0) return [];
  const message = 'diskEncryption is not imported: the disk of the site is not encrypted';
  const hint =
    'add a MachineConfig with storage.luks to openshift/, or write diskEncryption in sno-config.yaml';
  return [problem('import/no-place', message, { at: placeOf(instance, found), hint })];
}

/** Reports labels that a kubelet cannot set. Warnings: import/no-place. */
function labelFaults(instance: Instance): readonly Problem[] {
  const found = nodeField(instance, ['nodeLabels']);
  const entries = found?.node.kind === 'map' ? found.node.entries : [];
  return entries.flatMap(({ key, keySpan }) => {
    const fault = nodeLabelFault(key);
    if (found === undefined || fault === undefined) return [];
    const at = { file: instance.resource.file, path: pathText([...found.path, key]), ...keySpan };
    return [
      problem('import/no-place', `nodeLabels: ${fault.message}; it is not imported`, {
        at,
        hint: fault.hint,
      }),
    ];
  });
}

/** Problems: import/malformed. Warnings: import/no-place. */
function installerArguments(instance: Instance): readonly Problem[] {
  const found = nodeField(instance, ['installerArgs']);
  if (found === undefined) return [];
  const at = { file: instance.resource.file, path: pathText(found.path), ...found.node.span };
  const list = found.node.kind === 'scalar' ? parseEmbeddedJson(found.node) : undefined;
  if (list?.kind !== 'list') {
    const message =
      found.node.kind === 'scalar'
        ? 'installerArgs is not a JSON list'
        : 'installerArgs is not a JSON list in a string';
    return [problem('import/malformed', message, { at, hint: listHint })];
  }
  const other = list.items.find((item) => item.kind !== 'scalar' || typeof item.value !== 'string');
  if (other !== undefined) {
    const message = 'an item of installerArgs is not a string';
    return [problem('import/malformed', message, { at: { ...at, ...other.span }, hint: listHint })];
  }
  const words = list.items.map((item) => (item.kind === 'scalar' ? item.text : ''));
  return installerArgumentsOf(words).flatMap((argument) => {
    const { span } = list.items[argument.index] ?? list;
    return argumentFaults(argument).map(({ code, message, hint }) =>
      problem(code, `installerArgs: ${message}`, { at: { ...at, ...span }, hint }),
    );
  });
}

const listHint = `write a JSON list, for example '["--append-karg", "console=ttyS0"]'`;

interface ArgumentFault {
  readonly code: 'import/malformed' | 'import/no-place';
  readonly message: string;
  readonly hint: string;
}

function argumentFaults({ name, value }: InstallerArgument): readonly ArgumentFault[] {
  const field = installerFields[name];
  if (field !== undefined) {
    if (value === undefined || value === '') {
      const hint = 'the list is cut off, or an item is missing: complete it';
      return [{ code: 'import/malformed', message: `${name} has no value`, hint }];
    }
    return valuesIn(field, value).flatMap((each) => {
      const fault = installerFault(field, each);
      const hint = 'correct the item';
      return fault === undefined ? [] : [{ code: 'import/malformed', hint, ...fault }];
    });
  }
  if (impliedInstallerOptions.includes(name)) return [];
  const shown = /^--?[A-Za-z-]+$/.test(name) ? name : 'unknown argument';
  const said = shown === name && value !== undefined && shownValues.has(name) ? ` ${quoted(value)}` : '';
  const hint = installerOptionHint(name) ?? 'check whether the node needs it; the disk is written without it';
  return [{ code: 'import/no-place', message: `${shown}${said} is not supported and is ignored`, hint }];
}

/** Arguments whose value is never a secret and may appear in a message. */
const shownValues: ReadonlySet<string> = new Set(['--console', '--platform', '--architecture']);
