import { linkAt, linksAt, textAt, textsAt, type JsonObject, type Resource } from '../resource.js';
import { ownChassis, type PartReader } from './part-reader.js';
import { isAbsent, lineAt, numberAt } from './values.js';

export type LinkState = 'up' | 'down' | 'unknown';

/** A network interface of a machine. */
export interface NetworkInterface {
  readonly id: string;
  /** Lower case, with colons. */
  readonly mac: string;
  readonly link: LinkState;
  readonly speedMbps?: number;
}

const part = 'network interfaces';

/**
 * Network interfaces with a MAC address: those of the system, or the ports of its network adapters. Source: DSP2046, ComputerSystem,
 * EthernetInterfaces; Chassis, NetworkAdapters
 */
export async function readNetworkInterfaces(
  reader: PartReader,
  machine: Resource,
): Promise<readonly NetworkInterface[]> {
  const ofSystem = (await reader.members(part, machine.data, 'EthernetInterfaces')).flatMap(
    ({ data: own }) => (isWithoutPort(own) ? [] : interfaceOf(own, [permanentMac(own)], linkOf(own))),
  );
  return withoutRepeats(ofSystem.length > 0 ? ofSystem : await readAdapters(reader, machine));
}

/**
 * A VLAN, or an interface between host and BMC, which has no cable. Source: DSP2046, EthernetInterface, EthernetInterfaceType and
 * Links.HostInterface; DSP2043, public-rackmount1, EthernetInterfaces/ToManager
 */
function isWithoutPort(data: JsonObject): boolean {
  const isVirtual = textAt(data, 'EthernetInterfaceType') === 'Virtual';
  return (
    isVirtual || linkAt(data, 'Links', 'HostInterface') !== undefined || textAt(data, 'Id') === 'ToManager'
  );
}

async function readAdapters(reader: PartReader, machine: Resource): Promise<readonly NetworkInterface[]> {
  const found: NetworkInterface[] = [];
  for (const chassis of await ownChassis(reader, part, machine)) {
    const adapters = await reader.members(part, chassis.data, 'NetworkAdapters');
    for (const { data } of adapters) for (const port of await readPorts(reader, data)) found.push(port);
  }
  if (found.length > 0) return found;
  // A machine whose chassis is shared or absent has links to its own adapters. Source: DSP2046, NetworkInterface
  for (const { data } of await reader.members(part, machine.data, 'NetworkInterfaces')) {
    const adapter = await reader.get(part, linkAt(data, 'Links', 'NetworkAdapter'));
    const ports = adapter === undefined ? [] : await readPorts(reader, adapter.data);
    for (const port of ports.length > 0 ? ports : await readPorts(reader, data)) found.push(port);
  }
  return found;
}

/** Ports of an adapter. Network device functions have the addresses that a system sees; ports may list them too. */
async function readPorts(reader: PartReader, adapter: JsonObject): Promise<readonly NetworkInterface[]> {
  // NetworkPorts is deprecated in favor of Ports. Source: DSP2046, NetworkAdapter
  const current = await reader.members(part, adapter, 'Ports');
  const ports = current.length > 0 ? current : await reader.members(part, adapter, 'NetworkPorts');
  const links = new Map(ports.map(({ path, data }) => [path, linkOf(data)]));
  const functions = (await reader.members(part, adapter, 'NetworkDeviceFunctions')).flatMap(({ data }) =>
    interfaceOf(data, [permanentMac(data, 'Ethernet')], links.get(portOf(data) ?? '') ?? 'unknown'),
  );
  if (functions.length > 0) return functions;
  return ports.flatMap(({ data }) => interfaceOf(data, addressesOf(data), linkOf(data)));
}

/** Port of a function; the member has moved twice. Source: DSP2046, NetworkDeviceFunction */
function portOf(data: JsonObject): string | undefined {
  const [assignable] = linksAt(data, 'AssignablePhysicalNetworkPorts');
  const [deprecated] = linksAt(data, 'AssignablePhysicalPorts');
  return (
    linkAt(data, 'Links', 'PhysicalNetworkPortAssignment') ??
    linkAt(data, 'Links', 'PhysicalPortAssignment') ??
    linkAt(data, 'PhysicalPortAssignment') ??
    assignable ??
    deprecated
  );
}

/** Source: DSP2046, Port, Ethernet, AssociatedMACAddresses; NetworkPort, AssociatedNetworkAddresses */
function addressesOf(data: JsonObject): readonly (string | undefined)[] {
  return (
    textsAt(data, 'Ethernet', 'AssociatedMACAddresses') ?? textsAt(data, 'AssociatedNetworkAddresses') ?? []
  );
}

/** NetworkManager selects by the permanent address. Source: nm-settings-nmcli(5), 802-3-ethernet.mac-address */
function permanentMac(data: JsonObject, ...names: readonly string[]): string | undefined {
  return macOf(textAt(data, ...names, 'PermanentMACAddress')) ?? macOf(textAt(data, ...names, 'MACAddress'));
}

function interfaceOf(
  data: JsonObject,
  addresses: readonly (string | undefined)[],
  link: LinkState,
): readonly NetworkInterface[] {
  if (isAbsent(data)) return [];
  const speedMbps = speedOf(data);
  return addresses.flatMap((address) => {
    const mac = macOf(address);
    if (mac === undefined) return [];
    return [{ id: lineAt(data, 'Id') ?? '', mac, link, ...(speedMbps !== undefined && { speedMbps }) }];
  });
}

/** Source: DSP2046, EthernetInterface, NetworkPort and Port */
function speedOf(data: JsonObject): number | undefined {
  const gbps = numberAt(data, 'CurrentSpeedGbps');
  const mbps = numberAt(data, 'SpeedMbps') ?? numberAt(data, 'CurrentLinkSpeedMbps');
  return mbps ?? (gbps === undefined ? undefined : gbps * 1000);
}

/** Source: DSP2046, EthernetInterface and Port (LinkUp, NoLink, LinkDown), NetworkPort (Up, Down) */
function linkOf(data: JsonObject): LinkState {
  const status = textAt(data, 'LinkStatus')?.toLowerCase();
  if (status === 'linkup' || status === 'up') return 'up';
  return status === 'linkdown' || status === 'nolink' || status === 'down' ? 'down' : 'unknown';
}

/** Normalizes a MAC address in any of the usual notations; undefined for other texts, all zeros and group addresses. */
export function macOf(text: string | undefined): string | undefined {
  const digits = (text ?? '').trim().replaceAll(/[:.-]/g, '').toLowerCase();
  if (!/^[0-9a-f]{12}$/.test(digits) || /^0+$/.test(digits)) return undefined;
  // The lowest bit of the first byte marks a group. Source: IEEE 802, individual/group bit
  if (Number.parseInt(digits.slice(0, 2), 16) % 2 === 1) return undefined;
  return digits.match(/../g)?.join(':');
}

/** Partitions of a port and ports that several adapters list have the same address. An entry with a known link state wins. */
function withoutRepeats(found: readonly NetworkInterface[]): readonly NetworkInterface[] {
  const byMac = new Map<string, NetworkInterface>();
  for (const each of found) {
    const known = byMac.get(each.mac);
    if (known === undefined || (known.link === 'unknown' && each.link !== 'unknown'))
      byMac.set(each.mac, each);
  }
  return [...byMac.values()];
}
