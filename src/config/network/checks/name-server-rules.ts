import { quoted } from '../../../core/quoted.js';
import { parseAddress } from '../../../formats/cidr.js';
import { isDomainName } from '../../../formats/hostname.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { hasUnknownAddress } from '../addresses.js';
import { ipOf, isAutomatic, presentInterfaces } from '../interfaces.js';
import { familyOfServer, nameServerInterface } from '../name-servers.js';
import type { Finding } from '../../schema/rule.js';
import type { NetworkRule, NetworkSubject } from './network-subject.js';
import { hasKeyfiles, interfacesPath } from './network-paths.js';

export const nameServerRules: readonly NetworkRule[] = [
  {
    number: 110,
    fields: ['network.dns-resolver.config.server[]'],
    text: 'A name server is an IP address of a family that an interface has. Link-local IPv6 addresses include their interface. Name servers of one family are adjacent.',
    origin: 'sno-install',
    check: (subject) => {
      const found = servers(subject).flatMap((server, index) => serverFindings(server, index, subject));
      return found.length > 0 ? found : [...orderFindings(subject), ...holderFindings(subject)];
    },
  },
  {
    number: 111,
    fields: ['network.dns-resolver.config.search[]', 'network.dns-resolver.config.options[]'],
    text: 'A search domain is a domain name, and resolv.conf has the option.',
    origin: 'sno-install',
    check: (subject) => [...searchFindings(subject), ...optionFindings(subject)],
  },
  {
    number: 112,
    fields: ['network.dns-resolver'],
    text: 'If all addresses are static, a name server is configured (a warning).',
    origin: 'sno-install',
    check: noServer,
  },
];

const code = 'config/name-server' as const;
const configPath: FieldPath = ['network', 'dns-resolver', 'config'];

function servers({ config }: NetworkSubject): readonly string[] {
  return config.network?.['dns-resolver']?.config?.server ?? [];
}

function serverFindings(server: string, index: number, { config }: NetworkSubject): readonly Finding[] {
  const place = { code, path: [...configPath, 'server', index], with: [interfacesPath] };
  const [text = '', link, ...more] = server.split('%');
  const address = parseAddress(text);
  if (address === undefined || more.length > 0 || (link !== undefined && address.family === 'IPv4'))
    return [{ ...place, message: `name server ${quoted(server)} is not an address` }];
  if (link === undefined) return [];
  const found = config.network?.interfaces?.find(({ name }) => name === link);
  return found && ipOf(found, 'IPv6')
    ? []
    : [{ ...place, message: `name server ${quoted(server)} does not name an interface with IPv6` }];
}

/** NetworkManager stores name servers by IP family, so a mixed order is lost. Source: nmstate, is_mixed_dns_servers */
function orderFindings(subject: NetworkSubject): readonly Finding[] {
  const families = servers(subject).map(familyOfServer);
  const changes = families.filter((family, index) => index > 0 && family !== families[index - 1]);
  const links = new Set(servers(subject).flatMap((server) => server.split('%')[1] ?? []));
  const place = { code, path: [...configPath, 'server'] };
  return [
    ...(changes.length > 1
      ? [
          {
            ...place,
            message:
              'IPv4 and IPv6 name servers are mixed: list all servers of one family before those of the other',
          },
        ]
      : []),
    ...(links.size > 1
      ? [{ ...place, message: 'link-local name servers are on the links of different interfaces' }]
      : []),
  ];
}

function holderFindings(subject: NetworkSubject): readonly Finding[] {
  const { network = {} } = subject.config;
  if (presentInterfaces(network).some(hasUnknownAddress)) return [];
  const families = (['IPv4', 'IPv6'] as const).filter((family) =>
    servers(subject).some((server) => familyOfServer(server) === family && !server.includes('%')),
  );
  return families
    .filter((family) => nameServerInterface(network, family) === undefined)
    .map((family) => ({
      code,
      path: [...configPath, 'server'],
      message: `${family} name servers need an interface with ${family} addresses`,
      hint: `enable ${family} on an interface, or set the servers in a keyfile`,
      with: [interfacesPath],
    }));
}

function searchFindings({ config }: NetworkSubject): readonly Finding[] {
  const domains = config.network?.['dns-resolver']?.config?.search ?? [];
  return domains.flatMap((domain, index) =>
    isDomainName(domain.replace(/^~/, '').replace(/\.$/, ''))
      ? []
      : [{ code, path: [...configPath, 'search', index], message: `${quoted(domain)} is not a domain name` }],
  );
}

/** Source: resolv.conf(5), and nmstate, which rejects others */
const plainOptions = [
  ...[
    'debug',
    'edns0',
    'inet6',
    'ip6-bytestring',
    'ip6-dotint',
    'no-aaaa',
    'no-check-names',
    'no-ip6-dotint',
  ],
  ...['no-reload', 'no-tld-query', 'rotate', 'single-request', 'single-request-reopen', 'trust-ad', 'use-vc'],
];

function optionFindings({ config }: NetworkSubject): readonly Finding[] {
  const options = config.network?.['dns-resolver']?.config?.options ?? [];
  return options.flatMap((option, index) =>
    plainOptions.includes(option) || /^(ndots|timeout|attempts):\d{1,5}$/.test(option)
      ? []
      : [
          {
            code,
            path: [...configPath, 'options', index],
            message: `${quoted(option)} is not an option of resolv.conf`,
          },
        ],
  );
}

function noServer(subject: NetworkSubject): readonly Finding[] {
  const { network } = subject.config;
  const interfaces = presentInterfaces(network ?? {});
  if (interfaces.length === 0 || servers(subject).length > 0 || hasKeyfiles(subject)) return [];
  if (interfaces.some((each) => [each.ipv4, each.ipv6].some((ip) => ip && isAutomatic(ip)))) return [];
  return [
    {
      code: 'config/no-name-server',
      path: ['network'],
      target: 'key',
      message: 'the node has no name server: none is configured, and no interface gets one from DHCP',
      hint: 'add network.dns-resolver.config.server',
      with: [interfacesPath, ['network', 'dns-resolver']],
    },
  ];
}
