import { quoted, quotedName } from '../../../core/quoted.js';
import { suggestionOr } from '../../../core/suggest.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { parseAddress } from '../../../formats/cidr.js';
import {
  bondMode,
  bondModes,
  bondOptionNames,
  bondOptions,
  optionName,
  optionValue,
  optionValues,
  type BondMode,
} from '../bond-options.js';
import { bondOf, portsOf } from '../interfaces.js';
import type { Finding } from '../../schema/rule.js';
import { isUnicastMac } from './mac-address.js';
import type { PlacedInterface } from './network-paths.js';

const code = 'config/interface-link' as const;

export function bondFindings({ each, path }: PlacedInterface): readonly Finding[] {
  const bond = bondOf(each);
  if (each.type !== 'bond' || bond === undefined) return [];
  const field = each['link-aggregation'] ? 'link-aggregation' : 'bond';
  const given = bond.mode ?? '';
  const mode = bondMode(given);
  if (given !== '' && mode === undefined)
    return [
      {
        code,
        path: [...path, field, 'mode'],
        message: `${quoted(given)} is not a bond mode`,
        hint: suggestionOr(given, bondModes, `expected ${bondModes.join(', ')}`),
      },
    ];
  const at = (name: string): FieldPath => [...path, field, 'options', name];
  const options = bond.options ?? {};
  const faulty = Object.entries(options).flatMap(([name, value = '']) =>
    optionFindings(name, value, { path: at(name), given: Object.keys(options).map(optionName) }),
  );
  if (faulty.length > 0 || mode === undefined) return faulty;
  return togetherFaults(mode, bondOptions(options), portsOf(bond)).map(({ name, message }) => ({
    code,
    path: at(name),
    message,
  }));
}

function optionFindings(
  written: string,
  value: string,
  { path, given }: { readonly path: FieldPath; readonly given: readonly string[] },
): readonly Finding[] {
  const name = optionName(written);
  if (!bondOptionNames.includes(name)) {
    const absent = bondOptionNames.filter((each) => !given.includes(each));
    return [
      {
        code,
        path,
        target: 'key',
        message: `unknown bond option ${quotedName(name)}`,
        hint: suggestionOr(name, absent, 'docs/network.md lists the options; a keyfile can set any'),
      },
    ];
  }
  if (optionValue(name, value) === undefined)
    return [{ code, path, message: `option ${name} must be ${optionValues(name)}, not ${quoted(value)}` }];
  const fault = textFault(name, value);
  return fault === undefined ? [] : [{ code, path, message: `option ${name} ${fault}` }];
}

function textFault(name: string, value: string): string | undefined {
  if (name === 'arp_ip_target')
    return value.split(',').every((each) => parseAddress(each.trim())?.family === 'IPv4')
      ? undefined
      : `must be IPv4 addresses separated by commas, not ${quoted(value)}`;
  if (name !== 'ad_actor_system') return undefined;
  return isUnicastMac(value) ? undefined : `must be a unicast MAC address, not ${quoted(value)}`;
}

interface Fault {
  readonly name: string;
  readonly message: string;
}

/** Combinations of options. Source: verify of NetworkManager's nm-setting-bond.c; nmstate, BondOptions */
function togetherFaults(
  mode: BondMode,
  options: Readonly<Record<string, string>>,
  ports: readonly string[],
): readonly Fault[] {
  const isOn = (name: string): boolean => Number(options[name] ?? '0') > 0;
  const faults: Fault[] = [];
  const refuse = (name: string, isRefused: boolean, message: string): void => {
    if (options[name] !== undefined && isRefused) faults.push({ name, message: `option ${name} ${message}` });
  };
  refuse('lacp_rate', mode !== '802.3ad', 'needs mode 802.3ad');
  refuse('arp_interval', isOn('arp_interval') && isOn('miimon'), 'and miimon exclude each other');
  refuse(
    'arp_interval',
    isOn('arp_interval') && ['802.3ad', 'balance-tlb', 'balance-alb'].includes(mode),
    `is not supported in mode ${mode}`,
  );
  refuse(
    'arp_interval',
    isOn('arp_interval') && options['arp_ip_target'] === undefined,
    'needs arp_ip_target',
  );
  refuse('arp_ip_target', !isOn('arp_interval'), 'needs arp_interval');
  const hasPrimary = ['active-backup', 'balance-tlb', 'balance-alb'].includes(mode);
  refuse('primary', !hasPrimary, `is not supported in mode ${mode}`);
  refuse(
    'primary',
    hasPrimary && !ports.includes(options['primary'] ?? ''),
    `must be a port of the bond, not ${quoted(options['primary'] ?? '')}`,
  );
  refuse(
    'balance-slb',
    isOn('balance-slb') && (mode !== 'balance-xor' || options['xmit_hash_policy'] !== 'vlan+srcmac'),
    'needs mode balance-xor and xmit_hash_policy vlan+srcmac',
  );
  for (const delay of ['updelay', 'downdelay']) refuse(delay, isOn(delay) && !isOn('miimon'), 'needs miimon');
  return faults;
}
