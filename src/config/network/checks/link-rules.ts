import { quoted } from '../../../core/quoted.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { InterfaceDescription } from '../../schema/network-model.js';
import { baseOf, portsOf } from '../interfaces.js';
import type { Finding } from '../../schema/rule.js';
import type { NetworkRule, NetworkSubject } from './network-subject.js';
import { bondFindings } from './bond-findings.js';
import { placedInterfaces, repeatedItems, type PlacedInterface } from './network-paths.js';

/** Rules on bonds, bridges and VLANs. */
export const linkRules: readonly NetworkRule[] = [
  {
    number: 102,
    fields: ['network.interfaces[].type'],
    text: 'An interface has only the fields of its type, which are required for a bond and a VLAN. A list is given under one of its two names.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap(typeFindings),
  },
  {
    number: 103,
    fields: ['network.interfaces[].vlan.base-iface'],
    text: 'The lowest parent of a VLAN is not a VLAN.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap((placed) => baseFindings(placed, subject)),
  },
  {
    number: 104,
    fields: ['network.interfaces[].link-aggregation.port', 'network.interfaces[].bridge.port'],
    text: 'An interface is a port of at most one bond or bridge, not of itself, and a port has no IP configuration.',
    origin: 'sno-install',
    check: portFindings,
  },
  {
    number: 105,
    fields: ['network.interfaces[].link-aggregation.mode', 'network.interfaces[].link-aggregation.options'],
    text: 'The bonding driver supports the mode and the options of a bond, and their combination.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap(bondFindings),
  },
  {
    number: 141,
    fields: ['network.interfaces[].link-aggregation.options'],
    text: 'primary of a bond is the kernel name of a port; a port identified by its MAC address is a warning.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap((placed) => primaryFindings(placed, subject)),
  },
  {
    number: 142,
    fields: ['network.interfaces[].bridge.port[].vlan'],
    text: 'A bridge port has a tag with mode access, trunk-tags with mode trunk, and both with enable-native; each VLAN is listed once.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap(portVlanFindings),
  },
  {
    number: 144,
    fields: ['network.interfaces[].bridge.port[]'],
    text: 'STP and VLANs of a bridge port need an interface identified by its name; for one identified by its MAC address they are ignored, with a warning.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap((placed) => lostPortFindings(placed, subject)),
  },
  {
    number: 157,
    fields: ['network.interfaces[].vlan.id'],
    text: 'A number at the end of the name of a VLAN, as in bond0.130 or vlan130, is its id (a warning).',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap(vlanNameFindings),
  },
];

const code = 'config/interface-link' as const;

/** Fields that only interfaces of one type have. */
const fieldsOfType = {
  ethernet: ['ethernet'],
  bond: ['link-aggregation', 'bond'],
  vlan: ['vlan'],
  'linux-bridge': ['bridge'],
  dummy: [],
  loopback: [],
} as const;

function typeFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const type = each.type ?? 'ethernet';
  const given = Object.values(fieldsOfType)
    .flat()
    .filter((field) => each[field] !== undefined);
  const allowed: readonly string[] = fieldsOfType[type];
  const unsuitable = given.filter((field) => !allowed.includes(field));
  const own = given.filter((field) => allowed.includes(field));
  const links = [each['link-aggregation'], each.bond, each.bridge];
  return [
    ...unsuitable.map((field) => ({
      code,
      path: [...path, field],
      target: 'key' as const,
      message: `an interface of type ${type} cannot have ${field}`,
      hint: each.type === undefined ? 'say its type' : undefined,
      with: [[...path, 'type']],
    })),
    ...(own.length === 0 && (type === 'bond' || type === 'vlan')
      ? [
          {
            code,
            path: [...path, 'type'],
            message: `an interface of type ${type} needs ${fieldsOfType[type][0]}`,
          },
        ]
      : []),
    ...(own.length > 1 || links.some((link) => link?.port !== undefined && link.ports !== undefined)
      ? [{ code, path, message: 'a field and its alias are both set', hint: 'leave one out' }]
      : []),
  ];
}

function baseFindings({ each, path }: PlacedInterface, subject: NetworkSubject): readonly Finding[] {
  const base = each.type === 'vlan' ? (each.vlan?.['base-iface'] ?? '') : '';
  if (base === '') return [];
  const place = { code, path: [...path, 'vlan', 'base-iface'] };
  if (below(each, subject).includes(each.name ?? ''))
    return [{ ...place, message: `${quoted(each.name ?? '')} is a VLAN on itself` }];
  return [];
}

/** The base interfaces of a VLAN, from its own base to the last one. In a cycle, ends with the VLAN itself. */
function below(start: InterfaceDescription, { config }: NetworkSubject): readonly string[] {
  const names: string[] = [];
  let each: InterfaceDescription | undefined = start;
  while (each?.type === 'vlan') {
    const base: string | undefined = each.vlan?.['base-iface'];
    if (base === undefined || names.includes(base)) break;
    names.push(base);
    each = baseOf(each, config.network ?? {});
  }
  return names;
}

/** The kernel accepts an unknown primary, and the bond then has none. Source: networking/bonding.rst of Linux */
function primaryFindings({ each, path }: PlacedInterface, subject: NetworkSubject): readonly Finding[] {
  const field = each['link-aggregation'] ? 'link-aggregation' : 'bond';
  const primary = each.type === 'bond' ? each[field]?.options?.['primary'] : undefined;
  const port = placedInterfaces(subject).find((placed) => placed.each.name === primary)?.each;
  if (primary === undefined || port?.identifier !== 'mac-address') return [];
  return [
    {
      code: 'config/bond-primary',
      path: [...path, field, 'options', 'primary'],
      message: `primary ${quoted(primary)} is the name of a profile, and the bond needs its kernel name`,
      hint: 'write the name that `ip link` shows on the machine, or leave primary out: the bond then chooses a port itself',
    },
  ];
}

/** VLAN IDs. Source: IEEE 802.1Q, 12 bits without 0 and 4095 */
const largestVlan = 4094;

function vlanNameFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const [, digits] = /(?:\.|^vlan-?)(\d+)$/i.exec(each.name ?? '') ?? [];
  const [named, id] = [Number(digits ?? ''), each.vlan?.id];
  if (each.type !== 'vlan' || digits === undefined || named < 1 || named > largestVlan) return [];
  return id === undefined || id === named
    ? []
    : [
        {
          code: 'config/vlan-name',
          path: [...path, 'vlan', 'id'],
          message: `interface ${quoted(each.name ?? '')} has the VLAN id ${id}, but its name says ${named}`,
          hint: `write id: ${named}, or rename the interface`,
        },
      ];
}

/** Source: nmstate 2.2.62, BridgePortVlanConfig::sanitize and validate_overlap_trunk_tags */
function portVlanFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const list = each.bridge?.port === undefined ? 'ports' : 'port';
  return portsOf(each.bridge).flatMap(({ vlan = {} }, index) => {
    const { mode, tag, 'enable-native': isNative, 'trunk-tags': tags } = vlan;
    const faults: readonly (readonly [string, boolean, string])[] = [
      ['trunk-tags', mode === 'access' && (tags ?? []).length > 0, 'trunk-tags needs mode trunk'],
      ['enable-native', mode === 'access' && isNative === true, 'enable-native needs mode trunk'],
      ['mode', mode === 'trunk' && tags === undefined, 'mode trunk needs trunk-tags'],
      ['tag', mode === 'trunk' && tag !== undefined && isNative !== true, 'tag needs enable-native: true'],
      ['trunk-tags', overlap(tags ?? []), 'trunk-tags contains a VLAN twice'],
      [
        'trunk-tags',
        (tags ?? []).some(({ id, 'id-range': range }) => (id === undefined) === (range === undefined)),
        'an item of trunk-tags must have either id or id-range',
      ],
    ];
    return faults.flatMap(([field, isFaulty, message]) =>
      isFaulty ? [{ code, path: [...path, 'bridge', list, index, 'vlan', field], message }] : [],
    );
  });
}

/** Source: `nmstatectl gc` of nmstate 2.2.62 does not write `[bridge-port]` for ports with identifier: mac-address */
function lostPortFindings({ each, path }: PlacedInterface, subject: NetworkSubject): readonly Finding[] {
  const list = each.bridge?.port === undefined ? 'ports' : 'port';
  const interfaces = subject.config.network?.interfaces ?? [];
  const byAddress = interfaces.filter(({ identifier }) => identifier === 'mac-address');
  return portsOf(each.bridge).flatMap(({ name, ...settings }, index) => {
    const [lost] = Object.keys(settings);
    if (lost === undefined || !byAddress.some((port) => port.name === name)) return [];
    return [
      {
        code: 'config/mac-identifier',
        path: [...path, 'bridge', list, index, lost],
        target: 'key' as const,
        message: `the bridge settings of port ${quoted(name ?? '')} are ignored, because the port is identified by its MAC address`,
        hint: 'identify the port by its name: remove identifier, and write the name that `ip link` shows on the machine',
      },
    ];
  });
}

type TrunkTags = readonly {
  readonly id?: number | undefined;
  readonly 'id-range'?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
}[];

function overlap(tags: TrunkTags): boolean {
  const ranges = tags
    .map(({ id, 'id-range': range }) => [id ?? range?.min ?? 0, id ?? range?.max ?? 0] as const)
    .toSorted(([left], [right]) => left - right);
  return ranges.some(([first], index) => first <= (ranges[index - 1]?.[1] ?? -1));
}

interface PlacedPort {
  readonly name: string;
  readonly controller: string;
  readonly path: FieldPath;
}

function portFindings(subject: NetworkSubject): readonly Finding[] {
  const ports = portsWithPlaces(subject);
  return [
    ...repeatedItems(ports, ({ name }) => name).map(({ item, earlier }) => ({
      code,
      path: item.path,
      message:
        item.controller === earlier.controller
          ? `${quoted(item.name)} is already a port of ${quoted(item.controller)}`
          : `${quoted(item.name)} is a port of ${quoted(earlier.controller)} and of ${quoted(item.controller)}`,
    })),
    ...ports
      .filter(({ name, controller }) => isWithin(controller, name, ports))
      .map(({ name, controller, path }) => ({
        code,
        path,
        message: `${quoted(name)} is a port of ${quoted(controller)}, which is part of it`,
      })),
    ...ports.filter(({ name, controller }) => name !== controller).flatMap((port) => ipOfPort(port, subject)),
  ];
}

function portsWithPlaces(subject: NetworkSubject): readonly PlacedPort[] {
  return placedInterfaces(subject).flatMap(({ each, path }) => {
    const controller = each.name ?? '';
    const field = each.type === 'bond' ? (each['link-aggregation'] ? 'link-aggregation' : 'bond') : 'bridge';
    const link = each.type === 'bond' || each.type === 'linux-bridge' ? each[field] : undefined;
    const list = link?.port === undefined ? 'ports' : 'port';
    return (link?.[list] ?? []).map((port, index) => ({
      name: typeof port === 'string' ? port : (port.name ?? ''),
      controller,
      path: [...path, field, list, index, ...(typeof port === 'string' ? [] : ['name'])],
    }));
  });
}

/** Whether `inner` is `outer` or one of its direct or indirect ports. */
function isWithin(inner: string, outer: string, ports: readonly PlacedPort[], depth = 0): boolean {
  if (inner === outer || depth > ports.length) return inner === outer;
  return ports.some(
    ({ name, controller }) => name === inner && isWithin(controller, outer, ports, depth + 1),
  );
}

function ipOfPort({ name, controller }: PlacedPort, subject: NetworkSubject): readonly Finding[] {
  const found = placedInterfaces(subject).find(({ each }) => each.name === name);
  return (['ipv4', 'ipv6'] as const)
    .filter((family) => found?.each[family]?.enabled === true)
    .map((family) => ({
      code,
      path: [...(found?.path ?? []), family, 'enabled'],
      message: `${quoted(name)} cannot have addresses: it is a port of ${quoted(controller)}`,
      hint: `move them to ${controller}`,
    }));
}
