import { quoted } from '../../../core/quoted.js';
import type { NetworkDescription, RouteRuleDescription } from '../../schema/network-model.js';
import type { Finding } from '../../schema/rule.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { presentInterfaces } from '../interfaces.js';
import { canHoldRules, familyOfRule, ruleNetwork } from '../route-rules.js';
import { interfacesPath } from './network-paths.js';
import type { NetworkRule, NetworkSubject } from './network-subject.js';

export const routeRuleRules: readonly NetworkRule[] = [
  {
    number: 140,
    fields: ['network.route-rules.config[]'],
    text: 'A route rule has ip-from, ip-to or family, all of one family; fwmask needs fwmark; iif is an interface with that family.',
    origin: 'sno-install',
    check: (subject) =>
      (subject.config.network?.['route-rules']?.config ?? []).flatMap((rule, index) =>
        rule.state === undefined
          ? ruleFindings(rule, ['network', 'route-rules', 'config', index], subject)
          : [],
      ),
  },
  {
    number: 145,
    fields: ['network.route-rules.config[].iif'],
    text: 'iif of a route rule is the kernel name of an interface; an interface identified by its MAC address is a warning.',
    origin: 'sno-install',
    check: ({ config: { network = {} } }) =>
      (network['route-rules']?.config ?? []).flatMap((rule, index) =>
        nameFindings(rule, ['network', 'route-rules', 'config', index, 'iif'], network),
      ),
  },
];

const code = 'config/route-rule' as const;

/** Source: nmstate 2.2.62, RouteRuleEntry::sanitize */
function ruleFindings(
  rule: RouteRuleDescription,
  path: FieldPath,
  subject: NetworkSubject,
): readonly Finding[] {
  const given = (['ip-from', 'ip-to'] as const).filter((field) => (rule[field] ?? '') !== '');
  if (given.length === 0 && rule.family === undefined)
    return [{ code, path, message: 'a route rule needs ip-from, ip-to or family' }];
  const family = rule.family ?? (rule[given[0] ?? 'ip-from']?.includes(':') === true ? 'ipv6' : 'ipv4');
  return [
    ...given.flatMap((field) => networkFindings(rule[field] ?? '', family, [...path, field])),
    ...(rule.fwmask !== undefined && rule.fwmark === undefined
      ? [{ code, path: [...path, 'fwmask'], message: 'fwmask needs fwmark' }]
      : []),
    ...interfaceFindings(rule, [...path, 'iif'], subject),
  ];
}

/** nmstate writes the interface name unchanged, and the kernel compares it with its own name of the interface. Source: ip-rule(8) */
function nameFindings(
  { iif, state }: RouteRuleDescription,
  path: FieldPath,
  network: NetworkDescription,
): readonly Finding[] {
  const found = presentInterfaces(network).find(({ name }) => name === iif);
  if (iif === undefined || state !== undefined || found?.identifier !== 'mac-address') return [];
  return [
    {
      code: 'config/mac-identifier',
      path,
      message: `iif ${quoted(iif)} is the name of a profile, and the rule needs its kernel name`,
      hint: 'leave iif out and select the packets by ip-from, or identify the interface by its name instead of its MAC address',
    },
  ];
}

function networkFindings(text: string, family: string, path: FieldPath): readonly Finding[] {
  const cidr = ruleNetwork(text);
  if (cidr === undefined)
    return [{ code, path, message: `${quoted(text)} is not an address or a network such as 10.0.0.0/8` }];
  return cidr.family.toLowerCase() === family
    ? []
    : [{ code, path, message: `${quoted(text)} is ${cidr.family}, while the rule is for ${family}` }];
}

function interfaceFindings(
  rule: RouteRuleDescription,
  path: FieldPath,
  { config: { network = {} } }: NetworkSubject,
): readonly Finding[] {
  const { iif } = rule;
  if (iif === undefined) return [];
  const place = { code, path, with: [interfacesPath] };
  const found = presentInterfaces(network).find(({ name }) => name === iif);
  if (found === undefined)
    return [
      {
        ...place,
        message: `interface ${quoted(iif)} does not exist`,
        hint: `add "- name: ${iif}" to interfaces`,
      },
    ];
  const family = familyOfRule(rule);
  return canHoldRules(found, family, network)
    ? []
    : [
        {
          ...place,
          message: `${quoted(iif)} has no ${family}, but the rule is for ${family}`,
          hint: `enable ${family.toLowerCase()} on ${iif}, or leave iif out`,
        },
      ];
}
