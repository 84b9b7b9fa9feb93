import type { NetworkDescription } from '../../config/schema/network-model.js';
import { interfacesOf, ipOf, isAutomatic } from '../../config/network/interfaces.js';
import type { PreflightFacts } from './plan.js';

/** How the preflight sent its requests. */
export interface QuerySettings {
  /** Name servers from the command line; may be empty. */
  readonly dnsServers: readonly string[];
  /** Names of the environment variables that configure a proxy on this machine. */
  readonly proxyVariables: readonly string[];
}

/** Sentences on how results on the node may differ from those on this machine. */
export function nodeDifferences(
  { install, sno, proxy }: Pick<PreflightFacts, 'install' | 'sno' | 'proxy'>,
  { dnsServers, proxyVariables }: QuerySettings,
): readonly string[] {
  const { httpProxy, httpsProxy } = proxy;
  return [
    ofNames(sno.network, dnsServers),
    ...(sno.dns.local
      ? [
          'The node resolves api, api-int and *.apps itself; the DNS results for these names apply to other machines.',
        ]
      : []),
    httpProxy === undefined && httpsProxy === undefined
      ? 'Registries were queried without a proxy, like the node does.'
      : 'Registries were queried through the proxy of install-config.yaml, like the node does; the proxy may treat the node differently.',
    ...(proxyVariables.length > 0
      ? [`${proxyVariables.join(' and ')} of this machine were ignored; the node does not have them.`]
      : []),
    install.additionalTrustBundle === ''
      ? 'Certificates were checked against the public CAs bundled with Node.js; the node uses those of CoreOS.'
      : 'Certificates were checked against additionalTrustBundle and the public CAs bundled with Node.js; the node uses those of CoreOS.',
    ...(sno.ntpSources.length === 0
      ? [
          'No time server was queried: ntpSources is empty, and the node uses the defaults of its operating system.',
        ]
      : [
          'The clock of this machine was compared, which determines the validity of the certificates; the node has another clock.',
        ]),
    'Firewalls between the node and these servers cannot be checked from here.',
  ];
}

function ofNames(network: NetworkDescription | undefined, queried: readonly string[]): string {
  const { servers, others } = nameServersOf(network);
  const isSame = others === undefined && [...servers].sort().join() === [...queried].sort().join();
  if (isSame && queried.length > 0)
    return `Names were looked up at ${queried.join(', ')}, like the node does.`;
  const queriedServers = queried.length > 0 ? queried.join(', ') : 'the name servers of this machine';
  const named = servers.length > 0 ? [`${servers.join(', ')} (from \`network\`)`] : [];
  const theirs = [...named, ...(others === undefined ? [] : [others])].join(', and ');
  if (theirs === '')
    return `Names were looked up at ${queriedServers}; the node has no name server: \`network\` lists none and does not use DHCP.`;
  const hint = queried.length > 0 ? '' : ' (name them with --dns-server)';
  return `Names were looked up at ${queriedServers}; the node uses ${theirs}${hint}.`;
}

/** Name servers of the node in the config, and a description of further ones. */
function nameServersOf(network: NetworkDescription | undefined): {
  readonly servers: readonly string[];
  readonly others?: string;
} {
  const servers = network?.['dns-resolver']?.config?.server ?? [];
  const hasKeyfiles = (network?.keyfiles ?? []).length > 0;
  if (hasKeyfiles) return { servers, others: 'those from its keyfiles or DHCP' };
  return network === undefined || takesServers(network)
    ? { servers, others: 'those from DHCP' }
    : { servers };
}

/** Whether an interface gets name servers from DHCP or router advertisements. */
function takesServers(network: NetworkDescription): boolean {
  return interfacesOf(network).some((each) =>
    (['IPv4', 'IPv6'] as const).some((family) => {
      const ip = ipOf(each, family);
      return ip !== undefined && isAutomatic(ip) && ip['auto-dns'] !== false;
    }),
  );
}
