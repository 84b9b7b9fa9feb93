import type { InterfaceDescription, IpDescription, NetworkDescription } from '../schema/network-model.js';
import type { Family } from '../../formats/cidr.js';

/** A bond or a bridge with the names of its ports. */
export interface Controller {
  readonly name: string;
  readonly type: 'bond' | 'bridge';
  readonly ports: readonly BridgePort[];
}

/** A port; what stands beside its name is for bridges. */
export type BridgePort = NonNullable<
  NonNullable<NonNullable<InterfaceDescription['bridge']>['port']>[number]
>;

/** The name of the loopback interface. */
export const loopbackName = 'lo';

/** The interfaces that are to have a profile: nmstate writes none for `absent` and `ignore`. */
export function presentInterfaces({ interfaces = [] }: NetworkDescription): readonly InterfaceDescription[] {
  return interfaces.filter(({ state }) => state !== 'absent' && state !== 'ignore');
}

/**
 * The interfaces as described, behind them the ports that are named and not described, which are Ethernet, and the loopback if
 * routes without a next hop need it.
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

/** The loopback interface with the addresses that the kernel gives it. */
export const loopback: InterfaceDescription = {
  name: loopbackName,
  type: 'loopback',
  ipv4: { enabled: true, address: [{ ip: '127.0.0.1', 'prefix-length': 8 }] },
  ipv6: { enabled: true, address: [{ ip: '::1', 'prefix-length': 128 }] },
};

/** A family that is not described keeps the kernel's address. */
function withLoopbackAddresses(each: InterfaceDescription): InterfaceDescription {
  if (each.type !== 'loopback') return each;
  const { ipv4 = loopback.ipv4, ipv6 = loopback.ipv6 } = each;
  return { ...each, ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }) };
}

/** The interface that a VLAN names as its base: by its name, else by the name of its profile. */
export function baseOf(
  { type, vlan }: InterfaceDescription,
  network: NetworkDescription,
): InterfaceDescription | undefined {
  const name = vlan?.['base-iface'];
  if (type !== 'vlan' || name === undefined) return undefined;
  const all = presentInterfaces(network);
  return all.find((each) => each.name === name) ?? all.find((each) => each['profile-name'] === name);
}

/** Every bond and bridge. */
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

/** The bond of an interface under either of its names. */
export function bondOf(each: InterfaceDescription): InterfaceDescription['bond'] {
  return each['link-aggregation'] ?? each.bond;
}

/** The ports of a bond or a bridge under either of their names. */
export function portsOf<Port>(
  link: { readonly port?: readonly Port[]; readonly ports?: readonly Port[] } | undefined,
): readonly Port[] {
  return link?.port ?? link?.ports ?? [];
}

/** What is said of a family; undefined where it is off. */
export function ipOf(each: InterfaceDescription, family: Family): IpDescription | undefined {
  const ip = family === 'IPv4' ? each.ipv4 : each.ipv6;
  return ip?.enabled === true ? ip : undefined;
}

/** Whether addresses come from the network. */
export function isAutomatic(ip: IpDescription): boolean {
  return ip.dhcp === true || ip.autoconf === true;
}
