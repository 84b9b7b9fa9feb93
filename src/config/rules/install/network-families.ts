import type { Family } from '../../../formats/cidr.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';
import { listPath, readNetworksOf, type NetworkList, type ReadNetwork } from './networks.js';

export const networkFamilyRules: readonly InstallRule[] = [
  {
    number: 28,
    fields: ['networking.serviceNetwork'],
    text: 'There is one service network, or one of each family for dual stack.',
    origin: 'openshift-install',
    check: serviceCount,
  },
  {
    number: 29,
    fields: ['networking.machineNetwork', 'networking.serviceNetwork', 'networking.clusterNetwork'],
    text: 'The machine, service and cluster networks are of the same families: all IPv4, all IPv6, or all with both. A machine network of a further family is a warning.',
    origin: 'sno-install',
    check: families,
  },
];

function familiesOf(networks: readonly ReadNetwork[], list: NetworkList): ReadonlySet<Family> {
  return new Set(networks.filter((network) => network.list === list).map(({ cidr }) => cidr.family));
}

function serviceCount({ config }: InstallSubject): readonly Finding[] {
  const given = config.networking.serviceNetwork.length;
  const stacks = familiesOf(readNetworksOf(config.networking), 'serviceNetwork').size;
  const path = listPath('serviceNetwork');
  if (given <= Math.max(1, stacks)) return [];
  const message =
    stacks === 2
      ? 'networking.serviceNetwork must contain one network of each family'
      : 'networking.serviceNetwork must contain one network';
  return [
    {
      code: 'config/network-families',
      path,
      message,
      hint: 'remove all but the first of each family',
      with: [path],
    },
  ];
}

function families({ config }: InstallSubject): readonly Finding[] {
  const networks = readNetworksOf(config.networking);
  const service = familiesOf(networks, 'serviceNetwork');
  const lists: readonly NetworkList[] = ['machineNetwork', 'clusterNetwork'];
  return lists.flatMap((list) => {
    const own = familiesOf(networks, list);
    if (own.size === 0 || service.size === 0) return [];
    const missing = [...service].filter((family) => !own.has(family));
    const surplus = [...own].filter((family) => !service.has(family));
    if (missing.length + surplus.length === 0) return [];
    const what = [
      ...missing.map((family) => `has no ${family} network`),
      ...surplus.map((family) => `has an ${family} network`),
    ];
    const isSpare = list === 'machineNetwork' && missing.length === 0;
    return [
      {
        code: isSpare ? ('config/network-family-spare' as const) : ('config/network-families' as const),
        path: listPath(list),
        message: `networking.${list} ${what.join(' and ')}, while networking.serviceNetwork is ${[...service].join(' and ')}`,
        hint: isSpare
          ? 'remove it, unless the node has addresses in it that the cluster does not use'
          : 'give all three lists the same families',
        with: [listPath('serviceNetwork')],
      },
    ];
  });
}
