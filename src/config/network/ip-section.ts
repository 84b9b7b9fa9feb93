import type { InterfaceDescription, IpDescription, RouteDescription } from '../schema/network-model.js';
import type { Family } from '../../formats/cidr.js';
import { addressesOf, addressText, shortestAddress } from './addresses.js';
import { ipOf, isAutomatic } from './interfaces.js';
import type { KeyfileSection, KeyfileValue } from './keyfile.js';
import { routeValues } from './routes.js';

/** Inputs of an `[ipv4]` or `[ipv6]` section. */
export interface IpSettings {
  readonly interface: InterfaceDescription;
  readonly family: Family;
  readonly routes: readonly RouteDescription[];
  /** Values of `routing-rule`. */
  readonly routeRules: readonly string[];
  /** Name server keys of this section. */
  readonly nameServers: Values;
}

type Values = Readonly<Record<string, KeyfileValue | undefined>>;

/** NetworkManager's maximum, so that an interface is not given up while a DHCP server is slow. */
const forever = 2_147_483_647;

/** The section `[ipv4]` or `[ipv6]` of an interface. Source of the keys: nm-settings-keyfile(5) */
export function ipSection({ interface: each, family, ...settings }: IpSettings): KeyfileSection {
  const { routes, routeRules, nameServers } = settings;
  const name = family === 'IPv4' ? 'ipv4' : 'ipv6';
  const ip = ipOf(each, family);
  const written = family === 'IPv4' ? each.ipv4 : each.ipv6;
  return {
    name,
    values: {
      method: ip === undefined ? 'disabled' : methodOf(ip, family, routes),
      'dhcp-timeout': forever,
      ...(family === 'IPv6' && written !== undefined && { 'addr-gen-mode': addressMode(written) }),
      ...(ip !== undefined && addressValues(ip)),
      ...(ip !== undefined && isAutomatic(ip) && automaticValues(ip, family)),
      ...(ip !== undefined && routeValues(routes, family)),
      ...Object.fromEntries(routeRules.map((text, index) => [`routing-rule${index}`, text])),
      ...nameServers,
      'may-fail': mayFail(each, family),
    },
  };
}

function methodOf(ip: IpDescription, family: Family, routes: readonly RouteDescription[]): string {
  if (ip.dhcp === true) return family === 'IPv4' || ip.autoconf === true ? 'auto' : 'dhcp';
  if (addressesOf(ip).length > 0 || routes.length > 0) return 'manual';
  return family === 'IPv4' ? 'disabled' : 'link-local';
}

function addressMode(ip: IpDescription): number {
  return ip['addr-gen-mode'] === 'stable-privacy' ? 1 : 0;
}

function addressValues(ip: IpDescription): Values {
  return Object.fromEntries(addressesOf(ip).map((cidr, index) => [`address${index}`, addressText(cidr)]));
}

function automaticValues(ip: IpDescription, family: Family): Values {
  return {
    'ignore-auto-dns': !(ip['auto-dns'] ?? true),
    'never-default': !(ip['auto-gateway'] ?? true),
    'ignore-auto-routes': !(ip['auto-routes'] ?? true),
    'route-table': ip['auto-route-table-id'],
    'dhcp-send-hostname': ip['dhcp-send-hostname'] ?? true,
    ...(ip['dhcp-send-hostname'] !== false && hostnameValues(ip['dhcp-custom-hostname'] ?? '', family)),
    ...(family === 'IPv4' ? ipv4Values(ip) : ipv6Values(ip)),
  };
}

/** DHCPv4 sends a full name in another option than a short one (RFC 4702), DHCPv6 in the same (RFC 4704). */
function hostnameValues(hostname: string, family: Family): Values {
  return family === 'IPv4' && hostname.includes('.')
    ? { 'dhcp-fqdn': hostname }
    : { 'dhcp-hostname': hostname };
}

function ipv4Values(ip: IpDescription): Values {
  const id = ip['dhcp-client-id'] ?? 'll';
  const words: Readonly<Record<string, string>> = {
    ll: 'mac',
    LL: 'mac',
    'iaid+duid': 'duid',
    'IAID+DUID': 'duid',
  };
  return {
    'route-metric': ip['auto-route-metric'],
    'dhcp-client-id': Object.hasOwn(words, id) ? words[id] : id,
  };
}

function ipv6Values(ip: IpDescription): Values {
  const token = shortestAddress(ip.token ?? '');
  return {
    'route-metric': ip.autoconf === false ? undefined : ip['auto-route-metric'],
    'ra-timeout': forever,
    'dhcp-duid': duidOf(ip['dhcp-duid'] ?? 'll'),
    'dhcp-iaid': 'mac',
    token: token === '::' ? undefined : token,
  };
}

/** nmstate accepts its keywords in upper case too. */
function duidOf(text: string): string {
  return /^llt?$/i.test(text) ? text.toLowerCase() : text;
}

function mayFail({ 'wait-ip': wait }: InterfaceDescription, family: Family): boolean | undefined {
  if (wait === undefined) return undefined;
  const awaited = { any: [], ipv4: ['IPv4'], ipv6: ['IPv6'], 'ipv4+ipv6': ['IPv4', 'IPv6'] }[wait];
  return !awaited.some((each) => each === family);
}
