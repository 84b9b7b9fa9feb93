import { quoted } from '../../../core/quoted.js';
import type { RouteDescription } from '../../schema/network-model.js';
import {
  addressBits,
  contains,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
  type Address,
} from '../../../formats/cidr.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { hasUnknownAddress, isLinkLocal, staticAddresses } from '../addresses.js';
import { interfacesOf, ipOf, isAutomatic, loopbackName, presentInterfaces } from '../interfaces.js';
import { familyOf, identityOf, nextHopOf, parseDestination } from '../routes.js';
import type { Finding } from '../../schema/rule.js';
import type { NetworkRule, NetworkSubject } from './network-subject.js';
import { outsideAddresses } from './node-address-rules.js';
import { controllerOf, hasKeyfiles, interfacesPath, repeatedItems } from './network-paths.js';

export const routeRules: readonly NetworkRule[] = [
  {
    number: 108,
    fields: ['network.routes.config[]'],
    text: 'A route has a destination network and an outgoing interface that is up and has its family, and is listed once. Its gateway is in a network of that interface, if the interface has one.',
    origin: 'sno-install',
    check: (subject) => {
      const routes = placedRoutes(subject);
      return [...routes.flatMap((route) => routeFindings(route, subject)), ...sameRoutes(routes)];
    },
  },
  {
    number: 109,
    fields: ['network.routes.config'],
    text: 'If all addresses are static, a default route is configured (a warning).',
    origin: 'sno-install',
    check: defaultRoute,
  },
];

const code = 'config/route' as const;

interface PlacedRoute {
  readonly route: RouteDescription;
  readonly path: FieldPath;
}

function placedRoutes({ config }: NetworkSubject): readonly PlacedRoute[] {
  return (config.network?.routes?.config ?? []).map((route, index) => ({
    route,
    path: ['network', 'routes', 'config', index],
  }));
}

function routeFindings(placed: PlacedRoute, subject: NetworkSubject): readonly Finding[] {
  const { route, path } = placed;
  const { destination = '' } = route;
  if (route.state !== undefined) return [];
  if (destination === '') return [{ code, path, message: 'a route needs a destination' }];
  if (parseDestination(destination) === undefined)
    return [
      {
        code,
        path: [...path, 'destination'],
        message: `${quoted(destination)} is not a network such as 10.0.0.0/8`,
        hint: parseAddress(destination)
          ? `write "${destination}/${destination.includes(':') ? 128 : 32}"`
          : undefined,
      },
    ];
  const via = viaFindings(placed, subject);
  return via.length > 0
    ? via
    : [...nextHopFindings(placed, subject), ...sourceFindings(placed), ...weightFindings(placed)];
}

function viaFindings({ route, path }: PlacedRoute, subject: NetworkSubject): readonly Finding[] {
  const name = route['next-hop-interface'] ?? '';
  const family = familyOf(route);
  if (family === undefined) return [];
  if (route['route-type'] !== undefined) return specialFindings({ route, path });
  if (name === '') return [{ code, path, message: 'a route needs next-hop-interface' }];
  const place = { code, path: [...path, 'next-hop-interface'], with: [interfacesPath] };
  const found = interfacesOf(subject.config.network ?? {}).find((each) => each.name === name);
  const controller = controllerOf(subject, name);
  if (controller !== undefined && controller !== name)
    return [
      {
        ...place,
        message: `${quoted(name)} cannot have routes: it is a port of ${quoted(controller)}`,
        hint: `write ${controller}`,
      },
    ];
  if (found === undefined) return [{ ...place, message: `interface ${quoted(name)} does not exist` }];
  return ipOf(found, family) === undefined && !hasUnknownAddress(found)
    ? [{ ...place, message: `${quoted(name)} has no ${family}, but the route is ${family}` }]
    : [];
}

/** Source: nmstate 2.2.62, Routes::validate */
function specialFindings({ route, path }: PlacedRoute): readonly Finding[] {
  const hops = (['next-hop-interface', 'next-hop-address'] as const).filter(
    (field) => route[field] !== undefined && route[field] !== loopbackName,
  );
  return hops.map((field) => ({
    code,
    path: [...path, field],
    message: `a route of type ${route['route-type'] ?? ''} cannot have a next hop`,
    hint: `leave ${field} out`,
  }));
}

function nextHopFindings({ route, path }: PlacedRoute, subject: NetworkSubject): readonly Finding[] {
  const given = route['next-hop-address'] ?? '';
  const family = familyOf(route);
  if (given === '' || family === undefined) return [];
  const place = { code, path: [...path, 'next-hop-address'], with: [interfacesPath] };
  const address = parseAddress(given);
  if (address === undefined) return [{ ...place, message: `${quoted(given)} is not an address` }];
  if (address.family !== family)
    return [
      {
        ...place,
        message: `${formatAddress(address)} is ${address.family}, while the destination is ${family}`,
      },
    ];
  if (nextHopOf(route) === '') return [];
  return linkFindings({ route, address }, subject).map((found) => ({ ...place, ...found }));
}

function linkFindings(
  { route, address }: { readonly route: RouteDescription; readonly address: Address },
  subject: NetworkSubject,
): readonly Pick<Finding, 'message' | 'hint'>[] {
  const name = route['next-hop-interface'];
  const found = presentInterfaces(subject.config.network ?? {}).find((each) => each.name === name);
  const ip = found && ipOf(found, address.family);
  if (found === undefined || ip === undefined || hasUnknownAddress(found)) return [];
  const own = staticAddresses(found, address.family);
  const shown = formatAddress(address);
  if (own.some((cidr) => cidr.address === address.value))
    return [{ message: `${shown} is an address of ${quoted(found.name ?? '')} itself` }];
  // If all addresses have prefix length 32 or 128, the link has no network, and NetworkManager adds a route to the router.
  const bits = addressBits(address.family);
  const hasNoNetwork = own.length > 0 && own.every(({ prefix }) => prefix === bits);
  const isAnyLink =
    isAutomatic(ip) || hasNoNetwork || isLinkLocal({ family: address.family, address: address.value });
  // The address of the interface is the wrong one.
  const isConsequence = (outsideAddresses(subject)?.networks ?? []).some((text) => {
    const cidr = parseCidr(text);
    return cidr !== undefined && contains(cidr, address);
  });
  if (
    isAnyLink ||
    isConsequence ||
    own.some((cidr) => contains(cidr, address)) ||
    isReached(address, name, subject)
  )
    return [];
  const networks = own.map(formatCidr).join(', ');
  const message = `${shown} is not on the link of ${quoted(found.name ?? '')}`;
  const elsewhere = interfaceWith(address, subject);
  const shownNetworks = networks === '' ? '' : ` (${networks})`;
  if (elsewhere !== undefined)
    return [{ message: `${message}${shownNetworks}`, hint: `write "next-hop-interface: ${elsewhere}"` }];
  return networks === ''
    ? [{ message, hint: `add an address in the network of ${shown} to ${quoted(found.name ?? '')}` }]
    : [
        {
          message: `${message}${shownNetworks}`,
          hint: `write a gateway in ${networks}; if ${shown} is on the link, add a route to ${shown}/${bits} without next-hop-address`,
        },
      ];
}

/** The name of the only interface with a static address in the network of a router. */
function interfaceWith(address: Address, { config }: NetworkSubject): string | undefined {
  const [found, ...others] = presentInterfaces(config.network ?? {}).filter((each) =>
    staticAddresses(each, address.family).some((cidr) => contains(cidr, address)),
  );
  return others.length === 0 ? found?.name : undefined;
}

/** Whether another route without a next hop covers the router. This is common for addresses with prefix length 32 or 128. */
function isReached(address: Address, name: string | undefined, { config }: NetworkSubject): boolean {
  return (config.network?.routes?.config ?? []).some((route) => {
    const cidr = parseDestination(route.destination ?? '');
    const isLink = route['next-hop-interface'] === name && nextHopOf(route) === '';
    return isLink && cidr !== undefined && contains(cidr, address);
  });
}

function weightFindings({ route, path }: PlacedRoute): readonly Finding[] {
  return route.weight !== undefined && familyOf(route) === 'IPv6'
    ? [{ code, path: [...path, 'weight'], message: 'weight is supported only for IPv4 routes' }]
    : [];
}

function sourceFindings({ route, path }: PlacedRoute): readonly Finding[] {
  if (route.source === undefined) return [];
  const address = parseAddress(route.source);
  return address !== undefined && address.family === familyOf(route)
    ? []
    : [
        {
          code,
          path: [...path, 'source'],
          message: `${quoted(route.source)} is not an address of the family of the destination`,
        },
      ];
}

function sameRoutes(routes: readonly PlacedRoute[]): readonly Finding[] {
  const written = routes.filter(({ route }) => route.state === undefined);
  return repeatedItems(written, ({ route }) => identityOf(route)).map(({ item }) => ({
    code,
    path: item.path,
    message: 'the route is listed twice',
    hint: 'leave one out: nmstate keeps one of two routes that differ only in their metric',
  }));
}

function defaultRoute(subject: NetworkSubject): readonly Finding[] {
  const { network = {} } = subject.config;
  const interfaces = presentInterfaces(network).filter(({ type }) => type !== 'loopback');
  const families = (['IPv4', 'IPv6'] as const).filter((family) =>
    interfaces.some((each) => staticAddresses(each, family).length > 0),
  );
  const isStatic = !interfaces.some((each) => [each.ipv4, each.ipv6].some((ip) => ip && isAutomatic(ip)));
  const isThere = (network.routes?.config ?? []).some(
    (route) => route.state === undefined && route.destination?.endsWith('/0'),
  );
  if (families.length === 0 || !isStatic || isThere || hasKeyfiles(subject)) return [];
  return [
    {
      code: 'config/no-default-route',
      path: network.routes === undefined ? ['network'] : ['network', 'routes'],
      target: 'key',
      message: 'the node has no default route',
      hint: `add a route with destination ${families[0] === 'IPv6' ? '"::/0"' : '0.0.0.0/0'}`,
      with: [interfacesPath, ['network', 'routes']],
    },
  ];
}
