import { isName } from '../../core/quoted.js';
import {
  nodeAt,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../formats/yaml/yaml-tree.js';
import { itemsAt, textAt } from './resources.js';

/** A host's network configuration with its interfaces matched by MAC address. */
export interface HostNetwork {
  /** For `network` of sno-config.yaml. */
  readonly network: YamlNode;
  /** Name-to-MAC entries whose name does not occur in the configuration. */
  readonly unused: readonly YamlNode[];
  /** Name-to-MAC entries that cannot be used because the configuration identifies the interface differently. */
  readonly contradicted: readonly { readonly item: YamlNode; readonly reason: string }[];
}

/**
 * Rewrites an nmstate configuration so that NetworkManager finds each interface by the MAC address in `map`. The assisted installer
 * instead replaces the names with those of the kernel.
 * Source: openshift/assisted-service api/v1beta1 nmstate_config_types.go
 */
export function hostNetwork(config: YamlNode, map: readonly YamlNode[]): HostNetwork {
  if (config.kind !== 'map') return { network: config, unused: map, contradicted: [] };
  const described = itemsAt(config, ['interfaces']);
  const addresses = new Map(
    map.flatMap((item) => {
      const [name, mac] = [textAt(item, ['name']), nodeAt(item, ['macAddress'])];
      return name !== undefined && mac?.kind === 'scalar' ? [[name, { item, mac }] as const] : [];
    }),
  );
  const interfaces = described.map((each) => found(each, addresses.get(textAt(each, ['name']) ?? '')?.mac));
  const names = new Set(described.map((each) => textAt(each, ['name'])));
  const below = new Set(described.flatMap(linksBelow));
  const undescribed = [...addresses].filter(([name]) => !names.has(name));
  const added = undescribed.filter(([name]) => below.has(name)).map(([, { item, mac }]) => linkOf(item, mac));
  return {
    network: withInterfaces(config, [...interfaces, ...added]),
    unused: undescribed.filter(([name]) => !below.has(name)).map(([, { item }]) => item),
    contradicted: described.flatMap((each) => {
      const known = addresses.get(textAt(each, ['name']) ?? '');
      const reason = known && otherWay(each, known.mac);
      return known === undefined || reason === undefined ? [] : [{ item: known.item, reason }];
    }),
  };
}

/** Returns why an interface cannot be matched by the mapped MAC address; undefined if it can. */
function otherWay(each: YamlNode, mac: YamlScalar): string | undefined {
  const type = textAt(each, ['type']) ?? 'ethernet';
  if (type !== 'ethernet')
    return `the interface has ${isName(type) ? `type ${type}` : 'another type'}, not ethernet`;
  const own = textAt(each, ['mac-address']);
  const isSame = own === undefined || own.toLowerCase() === mac.text.toLowerCase();
  const identifier = textAt(each, ['identifier']);
  if (!isSame)
    return identifier === 'mac-address'
      ? 'the interface is matched by a different mac-address'
      : 'the interface is matched by name, because mac-address sets its address';
  return identifier === undefined || identifier === 'mac-address'
    ? undefined
    : 'the interface is matched by name';
}

/** Sets `identifier: mac-address` on an Ethernet interface, unless it has another identifier or another address. */
function found(each: YamlNode, mac: YamlScalar | undefined): YamlNode {
  const type = textAt(each, ['type']) ?? 'ethernet';
  if (each.kind !== 'map' || mac === undefined || type !== 'ethernet') return each;
  const own = textAt(each, ['mac-address']);
  const isOther = own !== undefined && own.toLowerCase() !== mac.text.toLowerCase();
  if (isOther || nodeAt(each, ['identifier']) !== undefined) return each;
  const rest = each.entries.filter(({ key }) => key !== 'mac-address');
  return { ...each, entries: [...rest, ...byAddress(mac)] };
}

function byAddress(mac: YamlScalar): readonly YamlEntry[] {
  return [entry('identifier', text('mac-address', mac)), entry('mac-address', mac)];
}

/** Names the ports of a bond or bridge, and the base interface of a VLAN. */
function linksBelow(each: YamlNode): readonly string[] {
  const ports = [
    ['link-aggregation', 'port'],
    ['link-aggregation', 'ports'],
    ['bond', 'port'],
    ['bridge', 'port'],
    ['bridge', 'ports'],
  ].flatMap((path) => itemsAt(each, path));
  const names = ports.map((port) => (port.kind === 'scalar' ? port.text : textAt(port, ['name'])));
  return [...names, textAt(each, ['vlan', 'base-iface'])].filter((name) => name !== undefined);
}

function linkOf(item: YamlNode, mac: YamlScalar): YamlNode {
  const name = nodeAt(item, ['name']);
  const entries = [
    ...(name ? [entry('name', name)] : []),
    entry('type', text('ethernet', mac)),
    entry('state', text('up', mac)),
    ...byAddress(mac),
  ];
  return { kind: 'map', entries, span: item.span };
}

function withInterfaces(config: YamlMap, interfaces: readonly YamlNode[]): YamlNode {
  const entries = config.entries.map((each) =>
    each.key === 'interfaces' && each.value.kind === 'list'
      ? { ...each, value: { ...each.value, items: interfaces } }
      : each,
  );
  return { ...config, entries };
}

function entry(key: string, value: YamlNode): YamlEntry {
  return { key, keySpan: value.span, value };
}

/** Creates a string that is not in the source, with the place of another node. */
function text(value: string, { span }: YamlNode): YamlScalar {
  return { kind: 'scalar', value, text: value, span };
}
