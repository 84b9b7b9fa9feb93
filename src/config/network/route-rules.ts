import { byCodeUnit } from '../../core/compare.js';
import type {
  InterfaceDescription,
  NetworkDescription,
  RouteRuleDescription,
} from '../schema/network-model.js';
import { addressBits, formatCidr, parseCidr, type Cidr, type Family } from '../../formats/cidr.js';
import { controllersOf, interfacesOf, ipOf, loopbackName } from './interfaces.js';
import { familyOf, mainTable } from './routes.js';

/** A routing rule with the interface whose profile contains it. */
export interface PlacedRouteRule {
  readonly interface: string;
  readonly family: Family;
  /** Value of `routing-rule` in the profile. */
  readonly text: string;
}

/** First priority of rules without one. Source: nmstate 2.2.62, ROUTE_RULE_DEFAULT_PRIORIRY */
const firstPriority = 30_000;

/**
 * Assigns the rules to interfaces, in the order of the file. nmstate writes the rules of an interface in random order, and chooses randomly
 * among interfaces with routes in the table; this function chooses the first one in the file.
 */
export function placeRouteRules(network: NetworkDescription): readonly PlacedRouteRule[] {
  const rules = routeRulesOf(network);
  const priorities = prioritiesOf(rules);
  const placed = rules.map((rule, index) => ({
    interface: ruleInterface(rule, network),
    family: familyOfRule(rule),
    text: ruleText(rule, priorities[index] ?? firstPriority),
  }));
  return placed.filter(
    (each, index) =>
      placed.findIndex((other) => other.interface === each.interface && other.text === each.text) === index,
  );
}

/** The rules to write, without those with `state: absent`, which removes a rule from a running machine. */
export function routeRulesOf(network: NetworkDescription): readonly RouteRuleDescription[] {
  return (network['route-rules']?.config ?? []).filter(({ state }) => state === undefined);
}

export function familyOfRule(rule: RouteRuleDescription): Family {
  const texts = [rule['ip-from'] ?? '', rule['ip-to'] ?? ''];
  return rule.family === 'ipv6' || texts.some((text) => text.includes(':')) ? 'IPv6' : 'IPv4';
}

/** Parses a network, or an address as a network with full prefix length; undefined for other texts. */
export function ruleNetwork(text: string): Cidr | undefined {
  return parseCidr(
    text.includes('/') ? text : `${text}/${addressBits(text.includes(':') ? 'IPv6' : 'IPv4')}`,
  );
}

/** Source: nmstate 2.2.62, set_auto_priority */
function prioritiesOf(rules: readonly RouteRuleDescription[]): readonly number[] {
  const fixed = rules.filter(({ priority = -1 }) => priority !== -1);
  let last = Math.max(firstPriority - 1, ...fixed.map(({ priority = 0 }) => priority));
  return rules.map((rule) => {
    const { priority = -1 } = rule;
    if (priority !== -1) return priority;
    const same = fixed.find((other) => matches(rule, other));
    if (same?.priority !== undefined) return same.priority;
    last += 1;
    return last;
  });
}

/** Whether another rule matches in all fields that the first one sets, except the priority. */
function matches(rule: RouteRuleDescription, other: RouteRuleDescription): boolean {
  const [left, right] = [selectorsOf(rule), selectorsOf(other)];
  return left.every((value, index) => value === undefined || value === right[index]);
}

function selectorsOf(rule: RouteRuleDescription): readonly (string | number | undefined)[] {
  const table = tableOfRule(rule);
  return [
    familyOfRule(rule),
    networkText(rule['ip-from']),
    networkText(rule['ip-to']),
    table === 0 ? undefined : table,
    rule.fwmark,
    rule.fwmask,
    rule.iif,
    rule.action,
    rule['suppress-prefix-length'] ?? rule['suppress_prefixlength'],
  ];
}

function tableOfRule({ action, 'route-table': table }: RouteRuleDescription): number | undefined {
  return table ?? (action === undefined ? mainTable : undefined);
}

/**
 * The rule's own interface, else one with routes in its table, else the first with the rule's IP family, else the loopback. Skips
 * interfaces whose profile loses the rule in nmstate: ports, and interfaces without settings of the family.
 * Source: nmstate 2.2.62, find_interface_for_rule
 */
function ruleInterface(rule: RouteRuleDescription, network: NetworkDescription): string {
  if (rule.iif !== undefined) return rule.iif;
  const family = familyOfRule(rule);
  const able = interfacesOf(network).filter((each) => canHoldRules(each, family, network));
  const table = rule['route-table'] ?? mainTable;
  const routed = able.filter(({ name = '' }) => routesOut(network, name).length > 0);
  const sorted = able.toSorted((left, right) => byCodeUnit(left.name ?? '', right.name ?? ''));
  const found =
    [...routed, ...sorted].find((each) => hasTable(each, { table, family, network })) ??
    able.find((each) => ipOf(each, family) !== undefined && each.name !== loopbackName);
  return found?.name ?? loopbackName;
}

/** Whether an interface's profile has a section for rules of an IP family. */
export function canHoldRules(
  each: InterfaceDescription,
  family: Family,
  network: NetworkDescription,
): boolean {
  const ip = family === 'IPv4' ? each.ipv4 : each.ipv6;
  const isPort = controllersOf(network).some(({ ports }) => ports.some(({ name }) => name === each.name));
  return ip !== undefined && !isPort;
}

function routesOut(network: NetworkDescription, name: string) {
  return (network.routes?.config ?? []).filter(
    (route) => route.state === undefined && (route['next-hop-interface'] ?? loopbackName) === name,
  );
}

function hasTable(
  each: InterfaceDescription,
  {
    table,
    family,
    network,
  }: { readonly table: number; readonly family: Family; readonly network: NetworkDescription },
): boolean {
  const ip = family === 'IPv4' ? each.ipv4 : each.ipv6;
  const own = routesOut(network, each.name ?? '')
    .filter((route) => familyOf(route) === family)
    .map((route) => route['table-id']);
  return [...own, ip?.['auto-route-table-id']].some(
    (found = mainTable) => found === table || (found === 0 && table === mainTable),
  );
}

function networkText(text = ''): string | undefined {
  const cidr = ruleNetwork(text);
  return cidr === undefined ? undefined : formatCidr(cidr);
}

/** Source: nm-settings-keyfile(5) refers to ip-rule(8); the order is that of `nmstatectl gc` */
function ruleText(rule: RouteRuleDescription, priority: number): string {
  const [to, from] = [networkText(rule['ip-to']), networkText(rule['ip-from'])];
  const any = familyOfRule(rule) === 'IPv4' ? '0.0.0.0/0' : '::/0';
  const table = rule['route-table'] ?? 0;
  const { fwmark, fwmask } = rule;
  const words: readonly (readonly [string, string | number | undefined])[] = [
    ['priority', priority],
    ['to', to],
    ['from', from ?? (to === undefined ? any : undefined)],
    ['iif', rule.iif],
    ['suppress_prefixlength', rule['suppress-prefix-length'] ?? rule['suppress_prefixlength']],
    ['type', rule.action],
    ['table', table === 0 ? mainTable : table],
    ['fwmark', fwmark === undefined || fwmask === undefined ? fwmark : `${fwmark}/${fwmask}`],
  ];
  return words.flatMap(([word, value]) => (value === undefined ? [] : [`${word} ${value}`])).join(' ');
}
