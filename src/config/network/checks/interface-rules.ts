import { quoted } from '../../../core/quoted.js';
import { baseOf, loopbackName } from '../interfaces.js';
import { keyfileName } from '../keyfiles.js';
import type { Finding } from '../../schema/rule.js';
import { macFault } from './mac-address.js';
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
    text: 'The name of an interface is one that Linux takes, a profile is called as a file can be, and each stands once; a description is one line.',
    origin: 'sno-install',
    check: (subject) => [
      ...placedInterfaces(subject).flatMap(nameFindings),
      ...placedInterfaces(subject).flatMap(descriptionFindings),
      ...sameNames(subject),
    ],
  },
  {
    number: 100,
    fields: ['network.interfaces[].mac-address', 'network.interfaces[].identifier'],
    text: 'mac-address is six pairs of hexadecimal digits, of one machine; identifier: mac-address needs it, on an Ethernet interface, and no two interfaces are found by the same.',
    origin: 'sno-install',
    check: (subject) => [...placedInterfaces(subject).flatMap(macFindings), ...sameMacs(subject)],
  },
  {
    number: 101,
    fields: ['network.interfaces[].mtu'],
    text: 'mtu is at least 1280 where IPv6 is enabled, and on a VLAN at most that of the interface below it.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap((placed) => mtuFindings(placed, subject)),
  },
];

const code = 'config/interface' as const;

/** Source: dev_valid_name of Linux' net/core/dev.c, IFNAMSIZ; NetworkManager also rejects a percent sign and these names. */
function nameFault(name: string): string | undefined {
  if (name.length > 15) return 'it is longer than 15 characters';
  if (/[^!-~]/.test(name)) return 'it has a blank or a character other than of ASCII';
  if (/[/:%]/.test(name)) return '"/", ":" and "%" cannot stand in it';
  return ['.', '..', 'lo', 'all', 'default'].includes(name) ? 'it means something else' : undefined;
}

/** A profile name must fit into a file name and a line of the file: printable ASCII, without leading and trailing blanks. */
function profileFault(name: string): string | undefined {
  if (name.length > 200) return 'it is longer than 200 characters';
  if (!/^[!-~]([ -~]*[!-~])?$/.test(name))
    return 'it has a blank at an end, or a character other than of ASCII';
  return /[/\\]/.test(name) || name.startsWith('.')
    ? '"/", "\\" and a dot in front cannot stand in it'
    : undefined;
}

function nameFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const { name = '', 'profile-name': profile } = each;
  if (each.type === 'loopback' && name !== loopbackName)
    return [{ code, path: [...path, 'name'], message: `the loopback is called lo, not ${quoted(name)}` }];
  const isPlain = name === '' || each.type === 'loopback';
  const fault = isPlain
    ? undefined
    : each.identifier === 'mac-address'
      ? profileFault(name)
      : nameFault(name);
  const profileProblem = profile === undefined ? undefined : profileFault(profile);
  return [
    ...(fault === undefined
      ? []
      : [
          {
            code,
            path: [...path, 'name'],
            message: `${quoted(name)} is not a name for an interface: ${fault}`,
          },
        ]),
    ...(profile === undefined || profileProblem === undefined
      ? []
      : [
          {
            code,
            path: [...path, 'profile-name'],
            message: `${quoted(profile)} is not a name for a profile: ${profileProblem}`,
          },
        ]),
  ];
}

function descriptionFindings({ each, path }: PlacedInterface): readonly Finding[] {
  return /[\u0000-\u001f\u007f]/.test(each.description ?? '')
    ? [
        {
          code,
          path: [...path, 'description'],
          message: 'description has a line end or another control character, which a profile cannot hold',
          hint: 'write it in one line',
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
      message: `interface ${quoted(item.each.name ?? '')} is described twice`,
      hint: 'put all that is said of it into one item',
    })),
    ...byFile
      .filter(({ item, earlier }) => item.each.name !== earlier.each.name)
      .map(({ item }) => ({
        code,
        path: [...item.path, item.each['profile-name'] === undefined ? 'name' : 'profile-name'],
        message: `two profiles are called ${quoted(keyfileName(item.each))}`,
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
        message: `a ${type} has no MAC address to be found by: it is made under its name`,
        hint: 'leave identifier out',
      },
    ];
  if (mac === undefined)
    return identifier === 'mac-address'
      ? [{ code, path: [...path, 'identifier'], message: 'identifier: mac-address needs mac-address' }]
      : [];
  const fault = macFault(mac);
  return fault === undefined ? [] : [{ code, path: [...path, 'mac-address'], message: fault }];
}

function sameMacs(subject: NetworkSubject): readonly Finding[] {
  const found = placedInterfaces(subject).filter(({ each }) => each.identifier === 'mac-address');
  return repeatedItems(found, ({ each }) => each['mac-address']?.toUpperCase()).map(({ item, earlier }) => ({
    code,
    path: [...item.path, 'mac-address'],
    message: `interfaces ${quoted(earlier.each.name ?? '')} and ${quoted(item.each.name ?? '')} are found by the same MAC address`,
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
          message: `mtu ${mtu} is larger than ${base.mtu}, that of ${quoted(base.name ?? '')} below it`,
        },
      ]
    : [];
}
