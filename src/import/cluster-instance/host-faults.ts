import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { parseEmbeddedJson } from '../resources/embedded-json.js';
import { hostNetwork } from '../resources/host-network.js';
import { nodeField, type Instance } from '../resources/instances.js';
import { rootDevice } from '../resources/root-device.js';
import {
  impliedInstallerOptions,
  installerArgumentsOf,
  installerFields,
  installerOptionHint,
} from '../../config/reading/installer-arguments.js';
import { nodeAt, pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';

/** Reports values of a host that are not imported although their field is. Problems: import/malformed. Warnings: import/no-place. */
export function hostFaults(instance: Instance): readonly Problem[] {
  const { file } = instance.resource;
  const config = nodeField(instance, ['nodeNetwork', 'config']);
  const map = nodeField(instance, ['nodeNetwork', 'interfaces']);
  return [
    ...(config && map ? unusedAddresses(config.node, map.node, { file, path: map.path }) : []),
    ...installerArguments(instance),
  ];
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
  return installerArgumentsOf(words).flatMap(({ name, value }) => {
    if (impliedInstallerOptions.includes(name) || installerFields[name] !== undefined) return [];
    const shown = /^--?[A-Za-z-]+$/.test(name) ? name : 'unknown argument';
    const said = shown === name && value !== undefined && shownValues.has(name) ? ` ${quoted(value)}` : '';
    const message = `installerArgs: ${shown}${said} is not supported and is ignored`;
    const hint =
      installerOptionHint(name) ?? 'check whether the node needs it; the disk is written without it';
    return [problem('import/no-place', message, { at, hint })];
  });
}

/** Arguments whose value is never a secret and may appear in a message. */
const shownValues: ReadonlySet<string> = new Set(['--console', '--platform', '--architecture']);
