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
    typeof link === 'string'
      ? [deviceOf(link, 'uplink'), []]
      : [{ name: link.name }, link.ports.map((port, index) => deviceOf(port, `port${index + 1}`))];
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

/** An interface by its name, or by its MAC address with the name of its profile. */
function deviceOf(
  text: string,
  profile: string,
):
  | { readonly name: string }
  | { readonly name: string; readonly identifier: 'mac-address'; readonly 'mac-address': string } {
  const isMac = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i.test(text);
  return isMac
    ? { name: profile, identifier: 'mac-address', 'mac-address': text.toLowerCase() }
    : { name: text };
}
