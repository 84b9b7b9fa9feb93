import { quoted } from '../../../core/quoted.js';
import { formatAddress, parseAddress } from '../../../formats/cidr.js';
import { domainNameFault, isDomainName } from '../../../formats/hostname.js';
import type { Finding } from '../../schema/rule.js';
import { isNoHost, outsideAddresses } from '../../network/checks/node-address-rules.js';
import { isAutomatic, presentInterfaces } from '../../network/interfaces.js';
import { nodeAddressFault } from '../../network/node-address.js';
import { kernelArgumentFault } from './kernel-argument.js';
import type { SnoRule, SnoSubject } from './sno-subject.js';

/** Rules on the node's name, address and time sources. */
export const nodeRules: readonly SnoRule[] = [
  {
    number: 71,
    fields: ['hostname', 'network.hostname.config'],
    text: 'hostname is a lower-case domain name of at most 63 characters, without localhost, and equal to network.hostname.config if that is set.',
    origin: 'sno-install',
    check: hostname,
  },
  {
    number: 143,
    fields: ['hostname', 'network.interfaces'],
    text: 'If all addresses are static, hostname is set (a warning).',
    origin: 'sno-install',
    check: staticHostname,
  },
  {
    number: 72,
    fields: ['nodeIP'],
    text: 'nodeIP is an address in a machine network, neither its first nor its broadcast address, and of the family of the first service network.',
    origin: 'sno-install',
    check: nodeIp,
  },
  {
    number: 73,
    fields: ['dns.local'],
    text: 'dns.local is set together with nodeIP.',
    origin: 'sno-install',
    check: localDns,
  },
  {
    number: 74,
    fields: ['ntpSources[]'],
    text: 'A time server is a domain name or an IP address.',
    origin: 'sno-install',
    check: ntpSources,
  },
  {
    number: 75,
    fields: ['kernelArguments[]'],
    text: 'A kernel argument is one word, without blanks, quotes and backslashes.',
    origin: 'sno-install',
    check: kernelArguments,
  },
];

/** Without `hostname`, NetworkManager sets the name from DHCP or from the PTR record of an address. Source: NetworkManager.conf(5), hostname-mode */
function staticHostname({ config }: SnoSubject): readonly Finding[] {
  const { network = {}, hostname: given } = config;
  const interfaces = presentInterfaces(network);
  const isStatic = interfaces.some(({ ipv4, ipv6 }) =>
    [ipv4, ipv6].some((ip) => (ip?.address ?? []).length > 0),
  );
  const isAutomaticToo = interfaces.some(({ ipv4, ipv6 }) =>
    [ipv4, ipv6].some((ip) => ip?.enabled === true && isAutomatic(ip)),
  );
  if (given !== undefined || !isStatic || isAutomaticToo || (network.keyfiles ?? []).length > 0) return [];
  return [
    {
      code: 'config/no-hostname',
      path: ['network'],
      target: 'key',
      message:
        'all addresses are static, so DHCP gives the node no name; without a PTR record it is called localhost and never joins',
      hint: 'add hostname',
      with: [['hostname'], ['network', 'interfaces']],
    },
  ];
}

/** The hostname is the value of the label kubernetes.io/hostname. Source: k8s.io/apimachinery LabelValueMaxLength. */
const longestHostname = 63;

function hostname({ config }: SnoSubject): readonly Finding[] {
  const given = config.hostname;
  const other = config.network?.hostname?.config;
  if (given === undefined) return [];
  const ofNetwork = ['network', 'hostname', 'config'];
  if (other !== undefined && other !== given)
    return [
      {
        code: 'config/hostname',
        path: ofNetwork,
        message: `hostname is ${quoted(given)} at the top and ${quoted(other)} here`,
        hint: 'leave one out',
        with: [['hostname']],
      },
    ];
  const fault =
    given.length > longestHostname
      ? `it is longer than ${longestHostname} characters`
      : domainNameFault(given);
  const place = {
    code: 'config/hostname' as const,
    path: given === other ? ofNetwork : ['hostname'],
  };
  if (fault !== undefined)
    return [{ ...place, message: `hostname ${quoted(given)} is not a valid node name: ${fault}` }];
  // Source: machine-config-operator templates/common/_base/files/usr-local-bin-mco-hostname.yaml, which matches without anchors
  if (!given.includes('localhost')) return [];
  return [
    {
      ...place,
      message: `hostname ${given} contains localhost, so the node waits forever for another name`,
      hint: 'use another name, or leave hostname out for DHCP to set it',
    },
  ];
}

function nodeIp(subject: SnoSubject): readonly Finding[] {
  const { input, install } = subject;
  const given = input.nodeIP ?? '';
  if (given === '') return [];
  const address = parseAddress(given);
  const place = { code: 'config/node-ip' as const, path: ['nodeIP'] };
  if (!address)
    return [
      {
        ...place,
        message: `nodeIP ${quoted(given)} is not an address`,
        hint: given.includes('/') ? 'leave the prefix length out' : undefined,
      },
    ];
  if (install?.isSound('networking') !== true) return [];
  const fault = nodeAddressFault(address, install.config.networking);
  // The addresses of the interfaces have the same fault.
  if (fault === undefined || outsideAddresses(subject) !== undefined || isNoHost(subject, address)) return [];
  const other = install.placeOf(['networking', ...fault.path]);
  return [{ ...place, message: `nodeIP ${formatAddress(address)} ${fault.text}`, other }];
}

function localDns({ config }: SnoSubject): readonly Finding[] {
  if (!config.dns.local || config.nodeIP !== undefined) return [];
  return [
    {
      code: 'config/local-dns',
      path: ['dns', 'local'],
      message: 'dns.local needs nodeIP, the address that the node answers with',
      hint: 'add nodeIP',
      with: [['nodeIP'], ['network']],
    },
  ];
}

function ntpSources({ config }: SnoSubject): readonly Finding[] {
  return config.ntpSources.flatMap((server, index) =>
    isDomainName(server) || parseAddress(server)
      ? []
      : [
          {
            code: 'config/ntp-source' as const,
            path: ['ntpSources', index],
            message: `time server ${quoted(server)} is neither a domain name nor an address`,
          },
        ],
  );
}

function kernelArguments({ config }: SnoSubject): readonly Finding[] {
  return config.kernelArguments.flatMap((argument, index) => {
    const fault = kernelArgumentFault(argument);
    const place = { code: 'config/kernel-argument' as const, path: ['kernelArguments', index] };
    return fault === undefined ? [] : [{ ...place, ...fault }];
  });
}
