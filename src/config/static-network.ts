import type { NetworkDescription } from './schema/network-model.js';
import { parseAddress } from '../formats/cidr.js';

export interface StaticNetwork {
  /** With prefix length, such as `192.168.126.10/24`; at most one of each family. */
  readonly addresses: readonly string[];
  /** The interface, or the bond with its ports; each interface by name or MAC address. */
  readonly link: string | StaticBond;
  readonly vlan?: number;
  /** At most one of each family. */
  readonly gateways: readonly string[];
  readonly dnsServers: readonly string[];
}

export interface StaticBond {
  readonly name: string;
  readonly ports: readonly string[];
  readonly mode: string;
  /** By name, as in nmstate. */
  readonly options: Readonly<Record<string, string>>;
}

/** `network` of sno-config.yaml with static addresses: on an interface or a bond, or on a VLAN of it. Values are not validated. */
export function staticNetwork({
  addresses,
  link,
  vlan,
  gateways,
  dnsServers,
}: StaticNetwork): NetworkDescription {
  const isV6 = (address: string): boolean => familyOf(address) === 'IPv6';
  const [four, six] = [addresses.find((each) => !isV6(each)), addresses.find(isV6)].map(withAddress);
  const stack = {
    ipv4: four ?? { enabled: false },
    ipv6: six === undefined ? { enabled: false } : { ...six, autoconf: false },
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
          'link-aggregation': {
            mode: link.mode,
            ...(Object.keys(link.options).length > 0 && { options: link.options }),
            port: ports.map((port) => port.name),
          },
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
  return {
    interfaces: [...described, lower, ...(vlan === undefined ? [] : [upper])],
    ...(dnsServers.length > 0 && { 'dns-resolver': { config: { server: [...dnsServers] } } }),
    ...(gateways.length > 0 && {
      routes: {
        config: gateways.map((gateway) => ({
          destination: isV6(gateway) ? '::/0' : '0.0.0.0/0',
          'next-hop-address': gateway,
          'next-hop-interface': name,
        })),
      },
    }),
  };
}

/** Family of an address with or without prefix length; undefined if it is none. */
export function familyOf(text: string): 'IPv4' | 'IPv6' | undefined {
  return parseAddress(text.split('/')[0] ?? '')?.family;
}

function withAddress(address: string | undefined): StaticStack | undefined {
  if (address === undefined) return undefined;
  const [ip = '', prefix = ''] = address.split('/');
  return { enabled: true, dhcp: false, address: [{ ip, 'prefix-length': Number(prefix) }] };
}

interface StaticStack {
  readonly enabled: true;
  readonly dhcp: false;
  readonly address: { readonly ip: string; readonly 'prefix-length': number }[];
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
  const usedNames = new Set([name, ...ports]);
  const free = ports
    .map((_, index) => `port${index + 1}`)
    .concat([name, ...ports].map((_, index) => `port${ports.length + index + 1}`))
    .filter((profile) => !usedNames.has(profile));
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
