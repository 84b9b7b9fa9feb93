/** Bond modes; the index is the mode's number. Source: the bonding driver of Linux, networking/bonding.rst */
const modes = [
  'balance-rr',
  'active-backup',
  'balance-xor',
  'broadcast',
  '802.3ad',
  'balance-tlb',
  'balance-alb',
] as const;

export type BondMode = (typeof modes)[number];

/** Parses a bond mode by name or number; undefined if it is unknown. */
export function bondMode(text: string): BondMode | undefined {
  return text === 'lacp' ? '802.3ad' : modes.find((mode, number) => text === mode || text === String(number));
}

export const bondModes: readonly string[] = modes;

/** The type of an option's values. */
type OptionKind =
  | { readonly kind: 'number'; readonly maximum: number }
  /** One of a set, whose place is its number; or of a set without numbers. */
  | { readonly kind: 'word'; readonly words: readonly string[] }
  /** Written as 0 or 1. */
  | { readonly kind: 'switch' }
  | { readonly kind: 'text' };

const wide = 4_294_967_295;
const number = (maximum: number): OptionKind => ({ kind: 'number', maximum });
const word = (...words: readonly string[]): OptionKind => ({ kind: 'word', words });
const onOff: OptionKind = { kind: 'switch' };
const text: OptionKind = { kind: 'text' };

/** All bond options of nmstate. Source: nmstate, BondOptions; the bonding driver of Linux */
const kinds: Readonly<Record<string, OptionKind>> = {
  ad_actor_sys_prio: number(65_535),
  ad_actor_system: text,
  ad_select: word('stable', 'bandwidth', 'count'),
  ad_user_port_key: number(1023),
  all_slaves_active: word('dropped', 'delivered'),
  arp_all_targets: word('any', 'all'),
  arp_interval: number(wide),
  arp_ip_target: text,
  arp_missed_max: number(255),
  'balance-slb': onOff,
  arp_validate: word('none', 'active', 'backup', 'all', 'filter', 'filter_active', 'filter_backup'),
  downdelay: number(wide),
  fail_over_mac: word('none', 'active', 'follow'),
  lacp_rate: word('slow', 'fast'),
  lp_interval: number(wide),
  miimon: number(wide),
  min_links: number(wide),
  num_grat_arp: number(255),
  num_unsol_na: number(255),
  packets_per_slave: number(65_535),
  primary: text,
  primary_reselect: word('always', 'better', 'failure'),
  resend_igmp: number(255),
  tlb_dynamic_lb: onOff,
  updelay: number(wide),
  use_carrier: onOff,
  xmit_hash_policy: word('layer2', 'layer3+4', 'layer2+3', 'encap2+3', 'encap3+4', 'vlan+srcmac'),
};

export const bondOptionNames: readonly string[] = Object.keys(kinds);

/** The driver's default, which older versions of NetworkManager reject in profiles. */
const defaultMissedMax = '2';

/** Converts options to NetworkManager's form. Invalid values are kept unchanged. */
export function bondOptions(
  options: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([written, given = '']) => {
      const name = optionName(written);
      const value = optionValue(name, given) ?? given;
      return value === '' || (name === 'arp_missed_max' && value === defaultMissedMax) ? [] : [[name, value]];
    }),
  );
}

/** NetworkManager's name of an option. Source of the other spelling: nmstate 2.2.62, BondOptions */
export function optionName(name: string): string {
  return name === 'balance_slb' ? 'balance-slb' : name;
}

/** Converts a value to NetworkManager's form; undefined if the option or the value is unknown. */
export function optionValue(name: string, given: string): string | undefined {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  switch (kind?.kind) {
    case 'number':
      return /^\d{1,10}$/.test(given) && Number(given) <= kind.maximum ? String(Number(given)) : undefined;
    case 'switch':
      return switchValue(given);
    case 'word':
      return wordValue(name, kind.words, given);
    case 'text':
      return name === 'ad_actor_system' ? given.toUpperCase() : given;
    case undefined:
      return undefined;
  }
}

/** Describes the allowed values of an option, for messages. */
export function optionValues(name: string): string {
  const kind = kinds[name];
  if (kind?.kind === 'number') return `a whole number from 0 to ${kind.maximum}`;
  if (kind?.kind === 'switch') return 'true or false';
  return kind?.kind === 'word' ? kind.words.join(', ') : 'a string';
}

/** Source of the spellings: nmstate, option_bool_or_string */
function switchValue(given: string): string | undefined {
  if (/^(1|true|yes|on|y)$/i.test(given)) return '1';
  return /^(0|false|no|off|n)$/i.test(given) ? '0' : undefined;
}

/** For all_slaves_active, NetworkManager takes numbers and not the kernel's names. */
function wordValue(name: string, words: readonly string[], given: string): string | undefined {
  const index = words.findIndex((each, number) => given === each || given === String(number));
  if (index < 0) return undefined;
  return name === 'all_slaves_active' ? String(index) : words[index];
}
