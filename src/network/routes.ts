import { byCodeUnit } from '../core/compare.js';
import type { NetworkDescription, RouteDescription } from '../fields/network-model.js';
import { formatCidr, parseCidr, type Family } from '../formats/cidr.js';
import { shortestAddress } from './addresses.js';
import type { KeyfileValue } from './keyfile.js';

/** The table that packets are routed by unless rules say otherwise. Source: ip-route(8) */
const mainTable = 254;

/** What the kernel takes for a route without a metric: none is 0 for IPv4. Source: IP6_RT_PRIO_USER of Linux' include/net/ip6_route.h */
const defaultMetric: Readonly<Record<Family, number>> = { IPv4: 0, IPv6: 1024 };

/** The routes that go out of an interface, in the order of nmstate. */
export function routesVia(
  network: NetworkDescription,
  name: string,
  family: Family,
): readonly RouteDescription[] {
  const routes = network.routes?.config ?? [];
  return routes
    .filter((route) => route['next-hop-interface'] === name && familyOf(route) === family)
    .toSorted((left, right) => byCodeUnit(orderOf(left), orderOf(right)));
}

/** The family of a route; undefined where its destination is no network. */
export function familyOf({ destination = '' }: RouteDescription): Family | undefined {
  return parseCidr(destination)?.family;
}

/** What two routes have in common that nmstate, and the kernel but for the metric, take for one. */
export function identityOf(route: RouteDescription): string {
  return `${route['next-hop-interface'] ?? ''}\u0000${orderOf(route)}`;
}

/** The keys of the routes of a section. Source: nm-settings-keyfile(5), route and route_options */
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

/** Where nothing is given, or the address of nothing, the destination is on the link. */
export function nextHopOf(route: RouteDescription): string {
  const address = shortestAddress(route['next-hop-address'] ?? '');
  return address === '0.0.0.0' || address === '::' ? '' : address;
}

function optionsOf(route: RouteDescription): string {
  const source = route.source === undefined ? '' : `,src=${shortestAddress(route.source)}`;
  return `table=${tableOf(route)}${source}`;
}

function orderOf(route: RouteDescription): string {
  return [
    destinationOf(route),
    shortestAddress(route['next-hop-address'] ?? ''),
    shortestAddress(route.source ?? ''),
    String(tableOf(route)).padStart(10, '0'),
  ].join('\u0000');
}

function destinationOf({ destination = '' }: RouteDescription): string {
  const cidr = parseCidr(destination);
  return cidr === undefined ? destination : formatCidr(cidr);
}

function tableOf(route: RouteDescription): number {
  const table = route['table-id'] ?? 0;
  return table === 0 ? mainTable : table;
}

function metricOf({ metric = -1 }: RouteDescription, family: Family): number {
  return metric === -1 ? defaultMetric[family] : metric;
}
