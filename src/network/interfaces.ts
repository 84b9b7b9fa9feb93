import type { InterfaceDescription, IpDescription, NetworkDescription } from '../fields/network-model.js';
import type { Family } from '../formats/cidr.js';

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

/** The interfaces as described, and behind them the ports that are named and not described: those are Ethernet. */
export function interfacesOf(network: NetworkDescription): readonly InterfaceDescription[] {
  const described = network.interfaces ?? [];
  const names = new Set(described.map(({ name }) => name));
  const ports = controllersOf(network).flatMap((controller) => controller.ports.map(({ name }) => name));
  const others = [...new Set(ports)].filter((name) => name !== undefined && !names.has(name));
  return [
    ...described,
    ...others.map((name): InterfaceDescription => ({ ...(name !== undefined && { name }) })),
  ];
}

/** Every bond and bridge. */
export function controllersOf({ interfaces = [] }: NetworkDescription): readonly Controller[] {
  return interfaces.flatMap((each): readonly Controller[] => {
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
