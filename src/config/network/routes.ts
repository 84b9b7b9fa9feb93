import { byCodeUnit } from '../../core/compare.js';
import type { NetworkDescription, RouteDescription } from '../schema/network-model.js';
import {
  addressBits,
  formatCidr,
  parseAddress,
  parseCidr,
  type Cidr,
  type Family,
} from '../../formats/cidr.js';
import { shortestAddress } from './addresses.js';
import { loopbackName } from './interfaces.js';
import type { KeyfileValue } from './keyfile.js';

/** The routing table for packets that no rule matches. Source: ip-route(8) */
export const mainTable = 254;

/** The kernel's default metric; 0 for IPv4. Source: IP6_RT_PRIO_USER of Linux' include/net/ip6_route.h */
const defaultMetric: Readonly<Record<Family, number>> = { IPv4: 0, IPv6: 1024 };

/** The routes of an interface, in nmstate's order. */
export function routesVia(
  network: NetworkDescription,
  name: string,
  family: Family,
): readonly RouteDescription[] {
  const routes = network.routes?.config ?? [];
  return routes
    .filter((route) => route.state === undefined && interfaceOf(route) === name && familyOf(route) === family)
    .toSorted((left, right) => byCodeUnit(orderOf(left), orderOf(right)));
}

/** The interface whose profile contains a route: the loopback for a route with a type such as blackhole, which has no next hop. */
function interfaceOf(route: RouteDescription): string | undefined {
  return route['next-hop-interface'] ?? (route['route-type'] === undefined ? undefined : loopbackName);
}

/** A destination; an address without prefix is a host. Source: nmstate rust/src/lib/route.rs, sanitize */
export function parseDestination(text: string): Cidr | undefined {
  const address = parseAddress(text);
  return parseCidr(address === undefined ? text : `${text}/${addressBits(address.family)}`);
}

/** The IP family of a route; undefined if its destination is invalid. */
export function familyOf({ destination = '' }: RouteDescription): Family | undefined {
  return parseDestination(destination)?.family;
}

/** A key that is equal for routes that nmstate treats as duplicates. The kernel also compares the metric. */
export function identityOf(route: RouteDescription): string {
  return `${interfaceOf(route) ?? ''}\u0000${orderOf({ ...route, 'table-id': tableOf(route) })}`;
}

/** The route keys of a section. Source: nm-settings-keyfile(5), route and route_options */
export function routeValues(
  routes: readonly RouteDescription[],
  family: Family,
): Readonly<Record<string, KeyfileValue>> {
  return Object.fromEntries(
    routes.flatMap((route, index) => [
      [`route${index}`, [destinationOf(route), nextHopOf(route), metricOf(route, family)].join(',')],
      [`route${index}_options`, optionsOf(route)],
    ]),
  );
}

/** Empty for a destination on the link: no next hop, or the unspecified address. */
export function nextHopOf(route: RouteDescription): string {
  const address = shortestAddress(route['next-hop-address'] ?? '');
  return address === '0.0.0.0' || address === '::' ? '' : address;
}

function optionsOf(route: RouteDescription): string {
  const options = {
    table: tableOf(route),
    weight: route.weight,
    type: route['route-type'],
    cwnd: route.cwnd,
    'lock-cwnd': route.cwnd === undefined ? undefined : true,
    src: route.source === undefined ? undefined : shortestAddress(route.source),
    initcwnd: route.initcwnd,
    initrwnd: route.initrwnd,
    mtu: route.mtu,
    'lock-mtu': route['lock-mtu'],
    quickack: route.quickack,
    advmss: route.advmss,
  };
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`]))
    .join(',');
}

function orderOf(route: RouteDescription): string {
  const numbers = [
    route['table-id'] ?? mainTable,
    route.cwnd,
    route.initcwnd,
    route.initrwnd,
    route.mtu,
    route.weight,
    route['route-type'] === undefined ? 0 : routeTypes[route['route-type']],
    route.advmss,
  ];
  return [
    Number(route.quickack ?? false),
    Number(route['lock-mtu'] ?? false),
    destinationOf(route),
    shortestAddress(route['next-hop-address'] ?? ''),
    shortestAddress(route.source ?? ''),
    ...numbers.map((number = 0) => String(number).padStart(10, '0')),
  ].join('\u0000');
}

/** Source: RTN_ numbers of Linux' include/uapi/linux/rtnetlink.h */
const routeTypes = { blackhole: 6, unreachable: 7, prohibit: 8 };

function destinationOf({ destination = '' }: RouteDescription): string {
  const cidr = parseDestination(destination);
  return cidr === undefined ? destination : formatCidr(cidr);
}

function tableOf(route: RouteDescription): number {
  const table = route['table-id'] ?? 0;
  return table === 0 ? mainTable : table;
}

function metricOf({ metric = -1 }: RouteDescription, family: Family): number {
  return metric === -1 ? defaultMetric[family] : metric;
}
