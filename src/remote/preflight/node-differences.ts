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
      ? ['The node answers for api, api-int and *.apps itself; what DNS says of them holds for others.']
      : []),
    httpProxy === undefined && httpsProxy === undefined
      ? 'Registries were asked without a proxy, as the node will.'
      : 'Registries were asked through the proxy of install-config.yaml, as the node will; whether the proxy lets the node in is for the node to see.',
    ...(proxyVariables.length > 0
      ? [`${proxyVariables.join(' and ')} of this machine were not used; the node does not have them.`]
      : []),
    install.additionalTrustBundle === ''
      ? 'Certificates were held against the public authorities that Node.js brings; the node has those of CoreOS.'
      : 'Certificates were held against additionalTrustBundle and the public authorities that Node.js brings; the node has those of CoreOS.',
    ...(sno.ntpSources.length === 0
      ? ['No time server was asked: ntpSources names none, and the node takes those of its operating system.']
      : [
          'The clock that was compared is that of this machine, by which certificates are made; the node has its own.',
        ]),
    'Firewalls between the node and these servers are seen from the node alone.',
  ];
}

function ofNames(network: NetworkDescription | undefined, asked: readonly string[]): string {
  const { servers, others } = nameServersOf(network);
  const isSame = others === undefined && [...servers].sort().join() === [...asked].sort().join();
  if (isSame && asked.length > 0) return `Names were asked of ${asked.join(', ')}, as the node will.`;
  const askedOf = asked.length > 0 ? asked.join(', ') : 'the name servers of this machine';
  const named = servers.length > 0 ? [`${servers.join(', ')}, as \`network\` says`] : [];
  const theirs = [...named, ...(others === undefined ? [] : [others])].join(', and ');
  if (theirs === '')
    return `Names were asked of ${askedOf}; the node has no name server: \`network\` names none and takes none from DHCP.`;
  const hint = asked.length > 0 ? '' : ' (name them with --dns-server)';
  return `Names were asked of ${askedOf}; the node asks ${theirs}${hint}.`;
}

/** Name servers of the node in the config, and a description of further ones. */
function nameServersOf(network: NetworkDescription | undefined): {
  readonly servers: readonly string[];
  readonly others?: string;
} {
  const servers = network?.['dns-resolver']?.config?.server ?? [];
  const hasKeyfiles = (network?.keyfiles ?? []).length > 0;
  if (hasKeyfiles) return { servers, others: 'those that its keyfiles name or DHCP gives it' };
  return network === undefined || takesServers(network)
    ? { servers, others: 'those that DHCP gives it' }
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
