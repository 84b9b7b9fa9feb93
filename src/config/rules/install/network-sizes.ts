import { nthHost, type Family } from '../../../formats/cidr.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';
import { nameOf, readNetworksOf, type ReadNetwork } from './networks.js';

export const networkSizeRules: readonly InstallRule[] = [
  {
    number: 26,
    fields: ['networking.serviceNetwork[]'],
    text: 'A service network is not larger than /12 (IPv6: /108), and has a tenth address for cluster DNS.',
    origin: 'sno-install',
    check: serviceSize,
  },
  {
    number: 27,
    fields: ['networking.clusterNetwork[].hostPrefix'],
    text: 'hostPrefix is required with OVNKubernetes, is not smaller than the prefix of cidr, at most 30, equal in all IPv4 cluster networks, and 64 for IPv6.',
    origin: 'openshift-install',
    check: hostPrefixes,
  },
];

/** Sources: openshift/installer pkg/types/validation; kube-apiserver rejects larger ranges. */
const largestService: Readonly<Record<Family, number>> = { IPv4: 12, IPv6: 108 };

/** The tenth address of the service network. Source: openshift/cluster-dns-operator pkg/operator/controller */
const dnsHost = 10;

function serviceSize({ config }: InstallSubject): readonly Finding[] {
  return readNetworksOf(config.networking)
    .filter(({ list }) => list === 'serviceNetwork')
    .flatMap(({ text, path, cidr }) => {
      const place = { code: 'config/network-size' as const, path };
      const limit = largestService[cidr.family];
      if (cidr.prefix < limit)
        return [
          {
            ...place,
            message: `service network ${text} is larger than /${limit}`,
            hint: cidr.family === 'IPv6' ? 'take a /112' : 'take a /16',
          },
        ];
      return nthHost(cidr, dnsHost)
        ? []
        : [
            {
              ...place,
              message: `service network ${text} is too small: cluster DNS uses its tenth address`,
              hint: cidr.family === 'IPv6' ? 'take a /112' : 'take a /16',
            },
          ];
    });
}

function hostPrefixes({ config, input }: InstallSubject): readonly Finding[] {
  const networks = readNetworksOf(config.networking).filter(({ list }) => list === 'clusterNetwork');
  const prefixOf = ({ index }: ReadNetwork): number =>
    config.networking.clusterNetwork[index]?.hostPrefix ?? 0;
  const firstV4 = networks.find(({ cidr }) => cidr.family === 'IPv4');
  return networks.flatMap((network) => {
    const prefix = prefixOf(network);
    // Only OVN-Kubernetes requires a host prefix.
    if (prefix === 0 && config.networking.networkType !== 'OVNKubernetes') return [];
    const isGiven = input.networking?.clusterNetwork?.[network.index]?.hostPrefix !== undefined;
    const fault = hostPrefixFault(network, prefix, firstV4 && prefixOf(firstV4));
    const path = ['networking', 'clusterNetwork', network.index, 'hostPrefix'];
    if (fault === undefined) return [];
    const message =
      isGiven || prefix !== 0 ? `hostPrefix ${prefix} ${fault}` : `${nameOf(network)} has no hostPrefix`;
    const hint =
      network.cidr.family === 'IPv6'
        ? 'write "hostPrefix: 64"'
        : prefix === 0
          ? 'write "hostPrefix: 23"'
          : undefined;
    return [{ code: 'config/host-prefix' as const, path, message, hint, with: [network.path] }];
  });
}

/** Sources: openshift/installer pkg/types/validation; cluster-network-operator pkg/network/cluster_config.go for the upper bound. */
function hostPrefixFault(
  { text, cidr }: ReadNetwork,
  prefix: number,
  firstV4: number | undefined,
): string | undefined {
  if (prefix < cidr.prefix) return `is larger than the whole network ${text}`;
  if (cidr.family === 'IPv6') return prefix === 64 ? undefined : 'must be 64 for an IPv6 network';
  if (prefix > 30) return 'leaves no room for pods: at most 30';
  return prefix === firstV4
    ? undefined
    : `differs from ${firstV4 ?? ''}, the value of the first IPv4 cluster network`;
}
