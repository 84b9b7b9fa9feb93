import type { NetworkDescription } from './schema/network-model.js';
import { parseAddress } from '../formats/cidr.js';

export interface StaticNetwork {
  /** With prefix length, such as `192.168.126.10/24`. */
  readonly address: string;
  /** The interface, or the bond with its ports; each interface by name or MAC address. */
  readonly link: string | { readonly name: string; readonly ports: readonly string[]; readonly mode: string };
  readonly vlan?: number;
  readonly gateway?: string;
  readonly dnsServers: readonly string[];
}

/** `network` of sno-config.yaml with one static address: on an interface or a bond, or on a VLAN of it. Values are not validated. */
export function staticNetwork({
  address,
  link,
  vlan,
  gateway,
  dnsServers,
}: StaticNetwork): NetworkDescription {
  const [ip = '', prefix = ''] = address.split('/');
  const isV6 = parseAddress(ip)?.family === 'IPv6';
  const own = { enabled: true, dhcp: false, address: [{ ip, 'prefix-length': Number(prefix) }] };
  const stack = {
    ipv4: isV6 ? { enabled: false } : own,
    ipv6: isV6 ? { ...own, autoconf: false } : { enabled: false },
  };
  const [device, ports] =
    typeof link === 'string' ? [deviceOf(link, 'uplink'), []] : [{ name: link.name }, portsOf(link)];
  const base = device.name;
  const name = vlan === undefined ? base : `${base}.${vlan}`;
  const below = vlan === undefined ? stack : {};
  const lower =
    typeof link === 'string'
      ? { ...device, type: 'ethernet' as const, state: 'up' as const, ...below }
      : {
          name: base,
          type: 'bond' as const,
          state: 'up' as const,
          'link-aggregation': { mode: link.mode, port: ports.map((port) => port.name) },
          ...below,
        };
  const upper = {
    name,
    type: 'vlan' as const,
    state: 'up' as const,
    vlan: { 'base-iface': base, id: vlan ?? 0 },
    ...stack,
  };
  const described = ports
    .filter((port) => 'mac-address' in port)
    .map((port) => ({ ...port, type: 'ethernet' as const, state: 'up' as const }));
  const destination = isV6 ? '::/0' : '0.0.0.0/0';
  return {
    interfaces: [...described, lower, ...(vlan === undefined ? [] : [upper])],
    ...(dnsServers.length > 0 && { 'dns-resolver': { config: { server: [...dnsServers] } } }),
    ...(gateway !== undefined && {
      routes: { config: [{ destination, 'next-hop-address': gateway, 'next-hop-interface': name }] },
    }),
  };
}

type Device =
  | { readonly name: string }
  | { readonly name: string; readonly identifier: 'mac-address'; readonly 'mac-address': string };

/** Ports given by MAC address get the profiles `port1`, `port2` and so on, except names that the bond or another port has. */
function portsOf({
  name,
  ports,
}: {
  readonly name: string;
  readonly ports: readonly string[];
}): readonly Device[] {
  const taken = new Set([name, ...ports]);
  const free = ports
    .map((_, index) => `port${index + 1}`)
    .concat([name, ...ports].map((_, index) => `port${ports.length + index + 1}`))
    .filter((profile) => !taken.has(profile));
  return ports.map((port, index) => deviceOf(port, free[index] ?? port));
}

/** An interface by its name, or by its MAC address with the name of its profile. */
function deviceOf(text: string, profile: string): Device {
  const mac = macOf(text);
  return mac === undefined
    ? { name: text }
    : { name: profile, identifier: 'mac-address', 'mac-address': mac };
}

/** The MAC address with colons; undefined for other texts. Windows and switches write dashes, dots or nothing between the digits. */
function macOf(text: string): string | undefined {
  const isMac = [
    /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i,
    /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}$/i,
    /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}$/i,
    /^[0-9a-f]{12}$/i,
  ].some((form) => form.test(text));
  if (!isMac) return undefined;
  const digits = text.replaceAll(/[-:.]/g, '').toLowerCase();
  return digits.match(/../g)?.join(':');
}
