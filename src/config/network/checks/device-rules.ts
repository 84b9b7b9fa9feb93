import { suggestionOr } from '../../../core/suggest.js';
import { quotedName } from '../../../core/quoted.js';
import type { Finding } from '../../schema/rule.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { VirtualFunction } from '../../schema/network-model.js';
import { featureNames, featureProperty } from '../ethtool-features.js';
import { macFault, macHint } from './mac-address.js';
import { placedInterfaces, repeatedItems, type PlacedInterface } from './network-paths.js';
import type { NetworkRule } from './network-subject.js';

/** Rules on settings of network cards and drivers. */
export const deviceRules: readonly NetworkRule[] = [
  {
    number: 118,
    fields: ['network.interfaces[].ethernet.sr-iov'],
    text: 'The id of a virtual function is below total-vfs and unique, and its settings are consistent.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap(functionsFindings),
  },
  {
    number: 119,
    fields: ['network.interfaces[].ethtool.feature'],
    text: 'NetworkManager supports the ethtool feature under that name.',
    origin: 'sno-install',
    check: (subject) => placedInterfaces(subject).flatMap(featureFindings),
  },
];

const code = 'config/interface' as const;

interface PlacedFunction {
  readonly each: VirtualFunction;
  readonly path: FieldPath;
}

function functionsFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const { 'total-vfs': total, vfs = [] } = each.ethernet?.['sr-iov'] ?? {};
  const placed = vfs.map((item, index) => ({
    each: item,
    path: [...path, 'ethernet', 'sr-iov', 'vfs', index],
  }));
  return [
    ...placed
      .filter(({ each: { id = 0 } }) => total !== undefined && id >= total)
      .map((item) => ({
        code,
        path: [...item.path, 'id'],
        message: `virtual function ${item.each.id ?? 0} does not exist: total-vfs is ${total ?? 0} and IDs start at 0`,
      })),
    ...repeatedItems(placed, ({ each: { id } }) => id?.toString()).map(({ item }) => ({
      code,
      path: [...item.path, 'id'],
      message: `virtual function ${item.each.id ?? 0} is listed twice`,
    })),
    ...placed.flatMap(functionFindings),
  ];
}

function functionFindings({ each, path }: PlacedFunction): readonly Finding[] {
  const { 'mac-address': mac, 'min-tx-rate': least = 0, 'max-tx-rate': most = 0 } = each;
  const fault = mac === undefined ? undefined : macFault(mac);
  const hint = mac === undefined ? undefined : macHint(mac);
  return [
    ...(fault === undefined ? [] : [{ code, path: [...path, 'mac-address'], message: fault, hint }]),
    ...(most > 0 && least > most
      ? [
          {
            code,
            path: [...path, 'min-tx-rate'],
            message: `min-tx-rate ${least} is more than max-tx-rate ${most}`,
          },
        ]
      : []),
    ...vlanFindings({ each, path }),
  ];
}

/** Source: SrIovConfig of nmstate, which drops the settings without a VLAN, and rejects 802.1ad for VLAN 0 without qos */
function vlanFindings({ each, path }: PlacedFunction): readonly Finding[] {
  const { 'vlan-id': vlan, qos = 0, 'vlan-proto': protocol } = each;
  if (vlan === undefined)
    return (['qos', 'vlan-proto'] as const)
      .filter((field) => each[field] !== undefined)
      .map((field) => ({
        code,
        path: [...path, field],
        message: `${field} has no effect without vlan-id`,
        hint: field === 'qos' ? 'write "vlan-id: 0" to set only the priority' : undefined,
      }));
  return protocol === '802.1ad' && vlan === 0 && qos === 0
    ? [
        {
          code,
          path: [...path, 'vlan-proto'],
          message: 'vlan-proto 802.1ad needs a vlan-id or a qos other than 0',
        },
      ]
    : [];
}

function featureFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const names = Object.keys(each.ethtool?.feature ?? {});
  const place = (name: string) => ({
    code,
    path: [...path, 'ethtool', 'feature', name],
    target: 'key' as const,
  });
  return [
    ...names
      .filter((name) => featureProperty(name) === undefined)
      .map((name) => ({
        ...place(name),
        message: `${quotedName(name)} is not a feature that NetworkManager can set`,
        hint: suggestionOr(name, featureNames, 'nm-settings(5) lists them'),
      })),
    ...repeatedItems(names, featureProperty).map(({ item, earlier }) => ({
      ...place(item),
      message: `${quotedName(item)} is another name for ${quotedName(earlier)}`,
      hint: 'leave one out',
    })),
  ];
}
