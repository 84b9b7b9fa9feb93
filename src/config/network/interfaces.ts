import type { InterfaceDescription, IpDescription, NetworkDescription } from '../schema/network-model.js';
import type { Family } from '../../formats/cidr.js';

/** A bond or bridge with its ports. */
export interface Controller {
  readonly name: string;
  readonly type: 'bond' | 'bridge';
  readonly ports: readonly BridgePort[];
}

/** A port. Fields other than the name apply to bridges. */
export type BridgePort = NonNullable<
  NonNullable<NonNullable<InterfaceDescription['bridge']>['port']>[number]
>;

export const loopbackName = 'lo';

/** The interfaces that get a profile: nmstate writes none for `absent` and `ignore`. */
export function presentInterfaces({ interfaces = [] }: NetworkDescription): readonly InterfaceDescription[] {
  return interfaces.filter(({ state }) => state !== 'absent' && state !== 'ignore');
}

/**
 * The described interfaces, followed by ports without a description, which are Ethernet, and by the loopback interface if
 * routes with a type such as blackhole need it.
 */
export function interfacesOf(network: NetworkDescription): readonly InterfaceDescription[] {
  const described = presentInterfaces(network).map(withLoopbackAddresses);
  const names = new Set((network.interfaces ?? []).map(({ name }) => name));
  const hasSpecialRoute = (network.routes?.config ?? []).some(
    (route) => route.state === undefined && route['route-type'] !== undefined,
  );
  const ports = controllersOf(network).flatMap((controller) => controller.ports.map(({ name }) => name));
  const others = [...new Set(ports)].filter((name) => name !== undefined && !names.has(name));
  return [
    ...described,
    ...others.map((name): InterfaceDescription => ({ ...(name !== undefined && { name }) })),
    ...(hasSpecialRoute && !names.has(loopbackName) ? [loopback] : []),
  ];
}

/** The loopback interface with the kernel's addresses. */
export const loopback: InterfaceDescription = {
  name: loopbackName,
  type: 'loopback',
  ipv4: { enabled: true, address: [{ ip: '127.0.0.1', 'prefix-length': 8 }] },
  ipv6: { enabled: true, address: [{ ip: '::1', 'prefix-length': 128 }] },
};

/** Without a description, an IP family keeps the kernel's address. */
function withLoopbackAddresses(each: InterfaceDescription): InterfaceDescription {
  if (each.type !== 'loopback') return each;
  const { ipv4 = loopback.ipv4, ipv6 = loopback.ipv6 } = each;
  return { ...each, ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }) };
}

/** The base interface of a VLAN, looked up by interface name, then by profile name. */
export function baseOf(
  { type, vlan }: InterfaceDescription,
  network: NetworkDescription,
): InterfaceDescription | undefined {
  const name = vlan?.['base-iface'];
  if (type !== 'vlan' || name === undefined) return undefined;
  const all = presentInterfaces(network);
  return all.find((each) => each.name === name) ?? all.find((each) => each['profile-name'] === name);
}

export function controllersOf(network: NetworkDescription): readonly Controller[] {
  return presentInterfaces(network).flatMap((each): readonly Controller[] => {
    const { name = '' } = each;
    if (each.type === 'bond') {
      const ports = portsOf(bondOf(each)).map((port) => ({ name: port }));
      return [{ name, type: 'bond', ports }];
    }
    return each.type === 'linux-bridge' ? [{ name, type: 'bridge', ports: portsOf(each.bridge) }] : [];
  });
}

/** The bond settings of an interface, under either field name. */
export function bondOf(each: InterfaceDescription): InterfaceDescription['bond'] {
  return each['link-aggregation'] ?? each.bond;
}

/** The ports of a bond or bridge, under either field name. */
export function portsOf<Port>(
  link: { readonly port?: readonly Port[]; readonly ports?: readonly Port[] } | undefined,
): readonly Port[] {
  return link?.port ?? link?.ports ?? [];
}

/** The settings of an IP family; undefined if it is disabled. */
export function ipOf(each: InterfaceDescription, family: Family): IpDescription | undefined {
  const ip = family === 'IPv4' ? each.ipv4 : each.ipv6;
  return ip?.enabled === true ? ip : undefined;
}

/** Whether addresses come from DHCP or router advertisements. */
export function isAutomatic(ip: IpDescription): boolean {
  return ip.dhcp === true || ip.autoconf === true;
}
