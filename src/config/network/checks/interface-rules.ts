import { quoted } from '../../../core/quoted.js';
import { suggestionOr } from '../../../core/suggest.js';
import { interfaceNameFault } from '../../../formats/interface-name.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { baseOf, loopbackName } from '../interfaces.js';
import { keyfileName } from '../keyfiles.js';
import type { InterfaceDescription } from '../../schema/network-model.js';
import type { Finding } from '../../schema/rule.js';
import { macFault, macHint } from './mac-address.js';
import type { NetworkRule, NetworkSubject } from './network-subject.js';
import {
  describedInterfaces,
  placedInterfaces,
  repeatedItems,
  type PlacedInterface,
} from './network-paths.js';

/** Rules on single interfaces, and on duplicate interfaces. */
export const interfaceRules: readonly NetworkRule[] = [
  {
    number: 99,
    fields: [
      'network.interfaces[].name',
      'network.interfaces[].profile-name',
      'network.interfaces[].description',
    ],
    text: 'Linux accepts the name of an interface, also as a port or parent, and the name of a profile is a valid file name; both are unique. A description is one line.',
    origin: 'sno-install',
    check: (subject) => [
      ...placedInterfaces(subject).flatMap(nameFindings),
      ...linkedNameFindings(subject),
      ...placedInterfaces(subject).flatMap(descriptionFindings),
      ...sameNames(subject),
    ],
  },
  {
    number: 158,
    fields: [
      'network.interfaces[].name',
      'network.interfaces[].link-aggregation.port[]',
      'network.interfaces[].bridge.port[].name',
      'network.interfaces[].vlan.base-iface',
    ],
    text: 'An Ethernet interface, port or parent that is not found by its MAC address has a name that Linux gives to network cards (a warning).',
    origin: 'sno-install',
    check: unlikelyNames,
  },
  {
    number: 100,
    fields: ['network.interfaces[].mac-address', 'network.interfaces[].identifier'],
    text: 'mac-address is a unicast address of six pairs of hexadecimal digits. identifier: mac-address requires it and type ethernet, and is unique.',
    origin: 'sno-install',
    check: (subject) => [...placedInterfaces(subject).flatMap(macFindings), ...sameMacs(subject)],
  },
  {
    number: 101,
    fields: ['network.interfaces[].mtu'],
    text: 'mtu is at least 1280 if IPv6 is enabled, and on a VLAN at most that of its parent.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap((placed) => mtuFindings(placed, subject)),
  },
];

const code = 'config/interface' as const;

/** A profile name must fit into a file name and a line of the file: printable ASCII, without leading and trailing blanks. */
function profileFault(name: string): string | undefined {
  if (name.length > 200) return 'it is longer than 200 characters';
  if (!/^[!-~]([ -~]*[!-~])?$/.test(name))
    return 'it starts or ends with a space, or contains a non-ASCII character';
  return /[/\\]/.test(name) || name.startsWith('.')
    ? '"/", "\\" and a leading dot are not allowed'
    : undefined;
}

function nameFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const { name = '', 'profile-name': profile } = each;
  if (each.type === 'loopback' && name !== loopbackName)
    return [
      {
        code,
        path: [...path, 'name'],
        message: `the loopback interface must be named lo, not ${quoted(name)}`,
      },
    ];
  const isPlain = name === '' || each.type === 'loopback';
  const fault = isPlain
    ? undefined
    : each.identifier === 'mac-address'
      ? profileFault(name)
      : interfaceNameFault(name);
  const profileProblem = profile === undefined ? undefined : profileFault(profile);
  return [
    ...(fault === undefined
      ? []
      : [
          {
            code,
            path: [...path, 'name'],
            message: `${quoted(name)} is not a valid interface name: ${fault}`,
          },
        ]),
    ...(profile === undefined || profileProblem === undefined
      ? []
      : [
          {
            code,
            path: [...path, 'profile-name'],
            message: `${quoted(profile)} is not a valid profile name: ${profileProblem}`,
          },
        ]),
  ];
}

/** Names of ports and parents that have no description themselves, which then are names of the kernel. */
function linkedNameFindings(subject: NetworkSubject): readonly Finding[] {
  return undescribedNames(subject).flatMap(({ name, path }) => {
    const fault = interfaceNameFault(name);
    if (fault === undefined) return [];
    const isMac = /^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/i.test(name);
    const hint = isMac
      ? 'describe the interface with identifier: mac-address and mac-address, and write its name here'
      : 'write the name that "ip link" shows';
    return [{ code, path, message: `${quoted(name)} is not a valid interface name: ${fault}`, hint }];
  });
}

interface PlacedName {
  readonly name: string;
  readonly path: FieldPath;
}

function undescribedNames(subject: NetworkSubject): readonly PlacedName[] {
  const described = new Set(
    describedInterfaces(subject).flatMap(({ each }) => [each.name, each['profile-name']]),
  );
  return placedInterfaces(subject)
    .flatMap(linkedNames)
    .filter(({ name }) => name !== '' && !described.has(name));
}

/** Source: systemd.net-naming-scheme(7), and the kernel's own names without it */
const cardName = /^(?:en[a-z]|eth\d|ib|sl|wl|ww|usb\d)/;

function unlikelyNames(subject: NetworkSubject): readonly Finding[] {
  const found = placedInterfaces(subject).flatMap(({ each, path }) =>
    each.identifier === 'mac-address' || !isCard(each)
      ? []
      : [{ name: each.name ?? '', path: [...path, 'name'] }],
  );
  const isUnlikely = ({ name }: PlacedName): boolean =>
    interfaceNameFault(name) === undefined && name !== '' && !cardName.test(name);
  const names = describedInterfaces(subject).flatMap(({ each }) => each.name ?? []);
  const noCard = (name: string): string => `Linux gives no network card the name ${quoted(name)}`;
  return [
    ...found.filter(isUnlikely).map(({ name, path }) => ({
      code: 'config/interface-name' as const,
      path,
      message: noCard(name),
      hint: 'add "identifier: mac-address" and mac-address, or write the name that "ip link" shows on the machine',
    })),
    ...undescribedNames(subject)
      .filter(isUnlikely)
      .map(({ name, path }) => ({
        code: 'config/interface-name' as const,
        path,
        message: `${noCard(name)}, and no interface of this name is described`,
        hint: suggestionOr(name, names, 'describe it, or write the name that "ip link" shows on the machine'),
      })),
  ];
}

/** Without a type, an interface is Ethernet unless it has the fields of another type. */
function isCard({
  type,
  vlan,
  bridge,
  bond,
  'link-aggregation': aggregation,
}: InterfaceDescription): boolean {
  return type === undefined ? [vlan, bridge, bond, aggregation].every((each) => !each) : type === 'ethernet';
}

function linkedNames({ each, path }: PlacedInterface): readonly PlacedName[] {
  const bonds = (['link-aggregation', 'bond'] as const).flatMap((field) =>
    (['port', 'ports'] as const).flatMap((list) =>
      (each[field]?.[list] ?? []).map((name, index) => ({ name, path: [...path, field, list, index] })),
    ),
  );
  const bridges = (['port', 'ports'] as const).flatMap((list) =>
    (each.bridge?.[list] ?? []).map(({ name = '' }, index) => ({
      name,
      path: [...path, 'bridge', list, index, 'name'],
    })),
  );
  const base = each.vlan?.['base-iface'];
  const bases = base === undefined ? [] : [{ name: base, path: [...path, 'vlan', 'base-iface'] }];
  return [...bonds, ...bridges, ...bases];
}

function descriptionFindings({ each, path }: PlacedInterface): readonly Finding[] {
  return /[\u0000-\u001f\u007f]/.test(each.description ?? '')
    ? [
        {
          code,
          path: [...path, 'description'],
          message: 'description contains a line break or another control character',
          hint: 'write it on one line',
        },
      ]
    : [];
}

function sameNames(subject: NetworkSubject): readonly Finding[] {
  const all = describedInterfaces(subject);
  const twice = repeatedItems(all, ({ each }) => each.name);
  const byFile = repeatedItems(placedInterfaces(subject), ({ each }) => keyfileName(each));
  return [
    ...twice.map(({ item }) => ({
      code,
      path: [...item.path, 'name'],
      message: `interface ${quoted(item.each.name ?? '')} is listed twice`,
      hint: 'merge the two items',
    })),
    ...byFile
      .filter(({ item, earlier }) => item.each.name !== earlier.each.name)
      .map(({ item }) => ({
        code,
        path: [...item.path, item.each['profile-name'] === undefined ? 'name' : 'profile-name'],
        message: `two profiles are named ${quoted(keyfileName(item.each))}`,
      })),
  ];
}

function macFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const { 'mac-address': mac, identifier, type = 'ethernet' } = each;
  if (identifier === 'mac-address' && type !== 'ethernet')
    return [
      {
        code,
        path: [...path, 'identifier'],
        message: `identifier: mac-address is not supported for type ${type}`,
        hint: 'leave identifier out',
      },
    ];
  if (mac === undefined)
    return identifier === 'mac-address'
      ? [{ code, path: [...path, 'identifier'], message: 'identifier: mac-address needs mac-address' }]
      : [];
  const fault = macFault(mac);
  return fault === undefined
    ? []
    : [{ code, path: [...path, 'mac-address'], message: fault, hint: macHint(mac) }];
}

function sameMacs(subject: NetworkSubject): readonly Finding[] {
  const found = placedInterfaces(subject).filter(({ each }) => each.identifier === 'mac-address');
  return repeatedItems(found, ({ each }) => each['mac-address']?.toUpperCase()).map(({ item, earlier }) => ({
    code,
    path: [...item.path, 'mac-address'],
    message: `interfaces ${quoted(earlier.each.name ?? '')} and ${quoted(item.each.name ?? '')} are identified by the same MAC address`,
  }));
}

/** The minimum MTU of IPv6. Source: RFC 8200 §5 */
const leastForIpv6 = 1280;

function mtuFindings({ each, path }: PlacedInterface, subject: NetworkSubject): readonly Finding[] {
  const { mtu } = each;
  if (mtu === undefined) return [];
  const place = { code, path: [...path, 'mtu'] };
  if (mtu < leastForIpv6 && each.ipv6?.enabled === true)
    return [{ ...place, message: `mtu ${mtu} is too small for IPv6, which needs ${leastForIpv6}` }];
  const base = baseOf(each, subject.config.network ?? {});
  return base?.mtu !== undefined && base.mtu < mtu
    ? [
        {
          ...place,
          message: `mtu ${mtu} is larger than the ${base.mtu} of its base interface ${quoted(base.name ?? '')}`,
        },
      ]
    : [];
}
