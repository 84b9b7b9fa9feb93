import { quoted } from '../../../core/quoted.js';
import { parseAddress } from '../../../formats/cidr.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { isDomainName } from '../../../formats/hostname.js';
import { isAutomatic } from '../interfaces.js';
import type { Finding } from '../../schema/rule.js';
import type { NetworkRule } from './network-subject.js';
import { placedIps, type PlacedIp } from './network-paths.js';
import { staticAddressFindings } from './static-addresses.js';

export const addressRules: readonly NetworkRule[] = [
  {
    number: 106,
    fields: ['network.interfaces[].ipv4', 'network.interfaces[].ipv6'],
    text: 'IPv4 and IPv6 with addresses, DHCP or autoconf have enabled: true; autoconf needs dhcp; values sent to DHCP servers are valid.',
    origin: 'sno-install',
    check: (subject) => placedIps(subject).flatMap(ipFindings),
  },
  {
    number: 107,
    fields: ['network.interfaces[].ipv4.address[]', 'network.interfaces[].ipv6.address[]'],
    text: 'A static address is a host address of its network and family, and is unique among the interfaces.',
    origin: 'sno-install',
    check: (subject) => staticAddressFindings(placedIps(subject)),
  },
];

const code = 'config/interface-address' as const;

function ipFindings({ each, ip, path, family }: PlacedIp): readonly Finding[] {
  if (ip.enabled === undefined && ((ip.address ?? []).length > 0 || isAutomatic(ip)))
    return [
      {
        code,
        path,
        message: `${family} is configured but not enabled`,
        hint: 'add "enabled: true"',
      },
    ];
  if (each.type === 'loopback') return loopbackFindings(ip, path, family);
  if (ip.enabled !== true) return [];
  return [
    ...(ip.autoconf === true && ip.dhcp !== true
      ? [
          {
            code,
            path: [...path, 'autoconf'],
            message: 'autoconf needs DHCP: NetworkManager uses router advertisements only together with it',
            hint: 'add "dhcp: true", or use a keyfile',
          },
        ]
      : []),
    ...tokenFindings(ip, path),
    ...formFindings({ ip, path }),
  ];
}

/** Source: nmstate 2.2.62, LoopbackInterface::sanitize */
function loopbackFindings(ip: PlacedIp['ip'], path: FieldPath, family: string): readonly Finding[] {
  if (ip.enabled === false)
    return [{ code, path: [...path, 'enabled'], message: `the loopback interface needs ${family}` }];
  return isAutomatic(ip)
    ? [{ code, path, message: `the loopback interface cannot get ${family} addresses automatically` }]
    : [];
}

/** A token is an interface identifier, so its first 64 bits are zero. Source: ip-token(8) */
function tokenFindings(ip: PlacedIp['ip'], path: FieldPath): readonly Finding[] {
  const { token = '' } = ip;
  if (token === '') return [];
  const address = parseAddress(token);
  const place = { code, path: [...path, 'token'] };
  if (address?.family !== 'IPv6' || address.value >> 64n !== 0n)
    return [
      { ...place, message: `token ${quoted(token)} is not the last half of an IPv6 address, such as ::10` },
    ];
  if (address.value === 0n) return [];
  if (ip.autoconf !== true) return [{ ...place, message: 'token needs "autoconf: true"' }];
  return ip['addr-gen-mode'] === 'stable-privacy'
    ? [
        {
          ...place,
          message: 'token and addr-gen-mode: stable-privacy exclude each other',
        },
      ]
    : [];
}

/** Hexadecimal bytes separated by colons, as in DHCP. */
const bytesForm = /^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2})+$/;

/**
 * A client identifier may be any text. Source: nmstate, Dhcpv4ClientId and Dhcpv6Duid, without values that NetworkManager rejects: its
 * verify of dhcp-duid has no `uuid`.
 */
function formFindings({ ip, path }: Pick<PlacedIp, 'ip' | 'path'>): readonly Finding[] {
  const forms = [
    ['dhcp-duid', ['ll', 'llt', 'LL', 'LLT', 'lease', 'stable-ll', 'stable-llt', 'stable-uuid']],
  ] as const;
  const hostname = ip['dhcp-custom-hostname'] ?? '';
  const id = ip['dhcp-client-id'] ?? '';
  return [
    ...(/[\u0000-\u001f\u007f]/.test(id)
      ? [{ code, path: [...path, 'dhcp-client-id'], message: 'dhcp-client-id contains a control character' }]
      : []),
    ...forms.flatMap(([field, words]) => {
      const given = ip[field];
      if (given === undefined || words.some((word) => word === given) || bytesForm.test(given)) return [];
      return [
        {
          code,
          path: [...path, field],
          message: `${field} must be ${words.join(', ')} or bytes separated by colons, not ${quoted(given)}`,
        },
      ];
    }),
    ...(hostname === '' || isDomainName(hostname)
      ? []
      : [
          {
            code,
            path: [...path, 'dhcp-custom-hostname'],
            message: `${quoted(hostname)} is not a domain name`,
          },
        ]),
  ];
}
