import type { InterfaceDescription, NetworkDescription } from '../schema/network-model.js';
import type { Family } from '../../formats/cidr.js';
import { shortestAddress, staticAddresses } from './addresses.js';
import { controllersOf, ipOf, isAutomatic, presentInterfaces } from './interfaces.js';
import type { KeyfileValue } from './keyfile.js';

/** Name server keys for a section of an interface's profile. */
export interface PlacedNameServers {
  readonly interface: string;
  readonly family: Family;
  readonly values: Readonly<Record<string, KeyfileValue>>;
}

/** Servers with a lower number are used first. Source: dns-priority of nm-settings-nmcli(5); the numbers are nmstate's. */
const firstPriority = 40;
const secondPriority = 50;

/**
 * Assigns name servers to interfaces, because NetworkManager stores them in profiles. Servers of an IP family go to the first interface
 * that has a static address of that family or ignores DHCP's servers, else to the first with an address of the family. Search domains and
 * options go to the IP family of the first server.
 */
export function placeNameServers(network: NetworkDescription): readonly PlacedNameServers[] {
  const { server = [], search = [], options = [] } = network['dns-resolver']?.config ?? {};
  const [first] = server;
  if (first === undefined) return placeDomains(network, search, options);
  return (['IPv6', 'IPv4'] as const).flatMap((family) => {
    const servers = server.filter((each) => familyOfServer(each) === family);
    if (servers.length === 0) return [];
    const isFirst = familyOfServer(first) === family;
    const values = {
      dns: servers.map((each) => shortestAddress(each.split('%')[0] ?? '')),
      'dns-priority': isFirst ? firstPriority : secondPriority,
      ...(isFirst && { 'dns-search': search, 'dns-options': options }),
    };
    const holder = linkOf(servers) ?? nameServerInterface(network, family);
    return holder === undefined ? [] : [{ interface: holder, family, values }];
  });
}

/** The IP family of a name server. Its address may have a zone after a percent sign. */
export function familyOfServer(server: string): Family {
  return server.includes(':') ? 'IPv6' : 'IPv4';
}

/** The interface for the name servers of an IP family; undefined if no interface has the family. */
export function nameServerInterface(network: NetworkDescription, family: Family): string | undefined {
  const able = withAddresses(network);
  const found =
    able.find((each) => isPreferred(each, family)) ??
    able.find((each) => each.state !== 'down' && (isStatic(each, family) || isAutomaticIn(each, family)));
  return found?.name;
}

function placeDomains(
  network: NetworkDescription,
  search: readonly string[],
  options: readonly string[],
): readonly PlacedNameServers[] {
  if (search.length === 0 && options.length === 0) return [];
  const values = { 'dns-priority': firstPriority, 'dns-search': search, 'dns-options': options };
  const tests = [
    isAutomaticIn,
    (each: InterfaceDescription, family: Family) => ipOf(each, family) !== undefined,
  ];
  for (const test of tests)
    for (const each of withAddresses(network))
      for (const family of ['IPv6', 'IPv4'] as const)
        if (test(each, family)) return [{ interface: each.name ?? '', family, values }];
  return [];
}

/** The interfaces that can hold name servers: not ports, which have no addresses, and not the loopback, which nmstate excludes. */
function withAddresses(network: NetworkDescription): readonly InterfaceDescription[] {
  const ports = new Set(controllersOf(network).flatMap((each) => each.ports.map(({ name }) => name)));
  return presentInterfaces(network).filter(({ name, type }) => !ports.has(name) && type !== 'loopback');
}

function isPreferred(each: InterfaceDescription, family: Family): boolean {
  const isOwn = ipOf(each, family)?.['auto-dns'] === false && isAutomaticIn(each, family);
  return isOwn || isStatic(each, family);
}

function isStatic(each: InterfaceDescription, family: Family): boolean {
  return !isAutomaticIn(each, family) && staticAddresses(each, family).length > 0;
}

function isAutomaticIn(each: InterfaceDescription, family: Family): boolean {
  const ip = ipOf(each, family);
  return ip !== undefined && isAutomatic(ip);
}

function linkOf(servers: readonly string[]): string | undefined {
  return servers.map((each) => each.split('%')[1]).find((link) => link !== undefined);
}
