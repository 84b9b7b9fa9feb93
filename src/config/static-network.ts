import type { NetworkDescription } from './schema/network-model.js';
import { parseAddress } from '../formats/cidr.js';

export interface StaticNetwork {
  /** With prefix length, such as `192.168.126.10/24`. */
  readonly address: string;
  /** The interface, or the bond with its ports. */
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
  const base = typeof link === 'string' ? link : link.name;
  const name = vlan === undefined ? base : `${base}.${vlan}`;
  const below = vlan === undefined ? stack : {};
  const lower =
    typeof link === 'string'
      ? { name: base, type: 'ethernet' as const, state: 'up' as const, ...below }
      : {
          name: base,
          type: 'bond' as const,
          state: 'up' as const,
          'link-aggregation': { mode: link.mode, port: [...link.ports] },
          ...below,
        };
  const upper = {
    name,
    type: 'vlan' as const,
    state: 'up' as const,
    vlan: { 'base-iface': base, id: vlan ?? 0 },
    ...stack,
  };
  const destination = isV6 ? '::/0' : '0.0.0.0/0';
  return {
    interfaces: vlan === undefined ? [lower] : [lower, upper],
    ...(dnsServers.length > 0 && { 'dns-resolver': { config: { server: [...dnsServers] } } }),
    ...(gateway !== undefined && {
      routes: { config: [{ destination, 'next-hop-address': gateway, 'next-hop-interface': name }] },
    }),
  };
}
