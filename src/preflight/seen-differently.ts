import type { PreflightFacts } from './plan.js';

/** How the questions were asked. */
export interface Asking {
  /** The name servers, if any were named. */
  readonly dnsServers: readonly string[];
  /** Variables of the environment that send programs on this machine through a proxy. */
  readonly proxyVariables: readonly string[];
}

/** What a node may see otherwise than the machine that asked, as sentences. */
export function seenDifferently(
  { install, sno, proxy }: Pick<PreflightFacts, 'install' | 'sno' | 'proxy'>,
  { dnsServers, proxyVariables }: Asking,
): readonly string[] {
  const { httpProxy, httpsProxy } = proxy;
  return [
    dnsServers.length > 0
      ? `Names were asked of ${dnsServers.join(', ')}; the node asks the servers that DHCP gives it.`
      : 'Names were asked of the name servers of this machine; the node asks those that DHCP gives it (name them with --dns-server).',
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
