import { isDeepStrictEqual } from 'node:util';

import { isSet, pluginSpelling, renamings } from '../../reading/deprecated.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

export const deprecatedRules: readonly InstallRule[] = [
  {
    number: 58,
    fields: [
      'networking.clusterNetworks',
      'networking.machineCIDR',
      'networking.serviceCIDR',
      'networking.type',
    ],
    text: 'An old field of networking is read as its replacement (a warning).',
    origin: 'openshift-install',
    check: oldFields,
  },
  {
    number: 59,
    fields: [
      'networking.clusterNetworks',
      'networking.machineCIDR',
      'networking.serviceCIDR',
      'networking.type',
      'networking.clusterNetwork[].hostSubnetLength',
    ],
    text: 'An old field and its replacement have the same value if both are set.',
    origin: 'sno-install',
    check: conflicts,
  },
  {
    number: 60,
    fields: ['networking.clusterNetwork[].hostSubnetLength'],
    text: 'hostSubnetLength is read as hostPrefix: the bits of an address minus its value (a warning).',
    origin: 'openshift-install',
    check: hostSubnetLengths,
  },
  {
    number: 61,
    fields: ['networking.networkType'],
    text: 'networkType is read in any letter case (a warning).',
    origin: 'openshift-install',
    check: pluginInOtherCase,
  },
  {
    number: 62,
    fields: ['imageContentSources'],
    text: 'imageContentSources is deprecated (a warning).',
    origin: 'openshift-install',
    check: contentSources,
  },
];

function oldFields({ input: { networking } }: InstallSubject): readonly Finding[] {
  if (!networking) return [];
  return renamings
    .filter(({ from }) => isSet(networking[from]))
    .map(({ from, to }) => ({
      code: 'config/deprecated-field',
      path: ['networking', from],
      target: 'key',
      message: `networking.${from} is deprecated and read as networking.${to}`,
      hint: `rename it to ${to}`,
    }));
}

function conflicts({ input: { networking } }: InstallSubject): readonly Finding[] {
  if (!networking) return [];
  const renamed = renamings
    .filter(
      ({ from, to, move }) =>
        isSet(networking[from]) &&
        isSet(networking[to]) &&
        !isDeepStrictEqual(move(networking), networking[to]),
    )
    .map(({ from, to }) => conflict(['networking', from], from, to));
  const lengths = (networking.clusterNetwork ?? []).flatMap(
    ({ hostPrefix, hostSubnetLength, cidr = '' }, index) => {
      if (hostSubnetLength === undefined || (hostPrefix ?? 0) === 0) return [];
      const isSame = hostPrefix === (cidr.includes(':') ? 128 : 32) - hostSubnetLength;
      return isSame
        ? []
        : [
            conflict(
              ['networking', 'clusterNetwork', index, 'hostSubnetLength'],
              'hostSubnetLength',
              'hostPrefix',
            ),
          ];
    },
  );
  return [...renamed, ...lengths];
}

function conflict(path: Finding['path'], from: string, to: string): Finding {
  return {
    code: 'config/deprecated-conflict',
    path,
    target: 'key',
    message: `${from} is deprecated and differs from ${to}`,
    hint: `remove ${from}`,
  };
}

function hostSubnetLengths({ input: { networking } }: InstallSubject): readonly Finding[] {
  const lists = ['clusterNetwork', 'clusterNetworks'] as const;
  return lists.flatMap((list) =>
    (networking?.[list] ?? []).flatMap(({ hostSubnetLength, cidr = '' }, index) => {
      if (hostSubnetLength === undefined) return [];
      const prefix = (cidr.includes(':') ? 128 : 32) - hostSubnetLength;
      return [
        {
          code: 'config/deprecated-field' as const,
          path: ['networking', list, index, 'hostSubnetLength'],
          target: 'key' as const,
          message: `hostSubnetLength ${hostSubnetLength} is read as hostPrefix ${prefix}`,
          hint: `write "hostPrefix: ${prefix}"`,
        },
      ];
    }),
  );
}

function pluginInOtherCase({ input: { networking } }: InstallSubject): readonly Finding[] {
  const fields = ['networkType', 'type'] as const;
  return fields.flatMap((field) => {
    const given = networking?.[field] ?? '';
    const spelling = pluginSpelling(given);
    if (spelling === given) return [];
    return [
      {
        code: 'config/deprecated-field' as const,
        path: ['networking', field],
        message: `${field} ${given} is read as ${spelling}`,
        hint: `write "${spelling}"`,
      },
    ];
  });
}

function contentSources({ input }: InstallSubject): readonly Finding[] {
  if (!isSet(input.imageContentSources)) return [];
  return [
    {
      code: 'config/deprecated-field',
      path: ['imageContentSources'],
      target: 'key',
      message: 'imageContentSources is deprecated',
      hint: 'rename it to imageDigestSources',
    },
  ];
}
