import { staticAddresses } from '../../config/network/addresses.js';
import {
  bondOf,
  controllersOf,
  ipOf,
  isAutomatic,
  portsOf,
  presentInterfaces,
} from '../../config/network/interfaces.js';
import { mainTable, nextHopOf, parseDestination, routesVia } from '../../config/network/routes.js';
import type { InterfaceDescription, NetworkDescription } from '../../config/schema/network-model.js';
import type { Finding } from '../../config/schema/rule.js';
import {
  type Address,
  type Cidr,
  type Family,
  contains,
  formatAddress,
  isHostOf,
  nthHost,
  parseAddress,
  parseCidr,
} from '../../formats/cidr.js';
import { interfacePath } from './virtual-cards.js';

/** A virtual network with the host as gateway and name server. */
export interface VirtualNetwork {
  /** Absent for the default of the kernel. */
  readonly mtu?: number;
  /** One for each machine network, in order. */
  readonly stacks: readonly NetworkStack[];
}

export interface NetworkStack {
  readonly family: Family;
  /** Address of the host. */
  readonly gateway: string;
  readonly prefix: number;
  readonly node: string;
  /** Whether the node gets its address by DHCP, the only lease of the network. */
  readonly isLeased: boolean;
  /** Other addresses of the host, for name servers in the network. */
  readonly nameServers: readonly string[];
}

/** The settings that determine the network. */
export interface NetworkSettings {
  readonly network: NetworkDescription;
  readonly machineNetworks: readonly string[];
  readonly nodeIP?: string;
  /** Whether the node resolves the names of the cluster itself. */
  readonly hasLocalDns: boolean;
}

/** The network of the machine, and the settings that it cannot have. */
export function virtualNetwork(settings: NetworkSettings): {
  readonly network: VirtualNetwork;
  readonly findings: readonly Finding[];
} {
  const made = machineNetworksOf(settings).map((machine) => stackOf(machine, settings));
  const mtus = presentInterfaces(settings.network).flatMap(({ mtu }) => mtu ?? []);
  const mtu = Math.max(...mtus, defaultMtu);
  return {
    network: { ...(mtu > defaultMtu && { mtu }), stacks: made.map(({ stack }) => stack) },
    findings: [
      ...vlanFindings(
        settings.network,
        made.flatMap(({ carrier }) => carrier ?? []),
      ),
      ...made.flatMap(({ findings }) => findings),
      ...leaseFindings(
        settings.network,
        made.flatMap(({ carrier, stack }) => (stack.isLeased ? [] : (carrier ?? []))),
      ),
      ...nameServerFindings(
        settings,
        made.map(({ stack }) => stack),
      ),
    ],
  };
}

/** Of Ethernet. */
const defaultMtu = 1500;

/** A machine network of each family: that of nodeIP, else the first with a static address, else the first. */
function machineNetworksOf({ machineNetworks, network, nodeIP }: NetworkSettings): readonly Cidr[] {
  const all = machineNetworks.flatMap((cidr) => parseCidr(cidr) ?? []);
  const wanted = parseAddress(nodeIP ?? '');
  return [...new Set(all.map(({ family }) => family))].flatMap((family) => {
    const own = all.filter((cidr) => cidr.family === family);
    return (
      own.find((cidr) => wanted !== undefined && contains(cidr, wanted)) ??
      own.find((cidr) => addressesIn(cidr, network).length > 0) ??
      own.slice(0, 1)
    );
  });
}

interface MadeStack {
  readonly stack: NetworkStack;
  /** The interface with the address of the node. */
  readonly carrier?: InterfaceDescription;
  readonly findings: readonly Finding[];
}

function stackOf(machine: Cidr, settings: NetworkSettings): MadeStack {
  const { network } = settings;
  const { family } = machine;
  const nodeIP = parseAddress(settings.nodeIP ?? '');
  const wanted = nodeIP !== undefined && contains(machine, nodeIP) ? nodeIP : undefined;
  const [first, ...others] = addressesIn(machine, network).filter(
    ({ cidr }) => wanted === undefined || wanted.value === cidr.address,
  );
  const [leased] = first === undefined ? automaticInterfaces(network, family) : [];
  const carrier = first?.each ?? leased;
  const subnet = first?.cidr ?? machine;
  const gateway = carrier && gatewayOf(network, carrier.name ?? '', family);
  const fixed = first === undefined ? wanted : { family, value: first.cidr.address };
  const servers = serversIn(subnet, network);
  const addresses = addressesOf(subnet, { servers, ...(fixed && { fixed }), ...(gateway && { gateway }) });
  return {
    ...(carrier && { carrier }),
    stack: { family, prefix: subnet.prefix, isLeased: first === undefined, ...addresses },
    findings: [
      ...(others.length === 0
        ? []
        : [
            ambiguousFinding(
              network,
              others.map(({ each }) => each),
            ),
          ]),
      ...(carrier === undefined && (network.interfaces ?? []).length > 0 ? [unusedFinding(machine)] : []),
      ...gatewayFindings(subnet, gateway),
      ...(first === undefined ? prefixFindings(subnet) : []),
    ],
  };
}

/** The addresses of the node and of the host, each once. A default address differs from all addresses in the config. */
function addressesOf(
  subnet: Cidr,
  {
    fixed,
    gateway,
    servers,
  }: { readonly fixed?: Address; readonly gateway?: string; readonly servers: readonly string[] },
): Pick<NetworkStack, 'node' | 'gateway' | 'nameServers'> {
  const node =
    fixed === undefined ? freeHost(subnet, [10, 2, 1], [gateway, ...servers]) : formatAddress(fixed);
  const host = gateway ?? freeHost(subnet, [1, 2], [node]);
  return {
    ...{ node, gateway: host },
    nameServers: servers.filter((server) => server !== host && server !== node),
  };
}

/** Static addresses in a machine network, with their prefix lengths. */
function addressesIn(
  machine: Cidr,
  network: NetworkDescription,
): readonly { readonly each: InterfaceDescription; readonly cidr: Cidr }[] {
  return activeInterfaces(network).flatMap((each) =>
    staticAddresses(each, machine.family)
      .filter((cidr) => {
        const address = { family: machine.family, value: cidr.address };
        return contains(machine, address) && isHostOf(machine, address);
      })
      .map((cidr) => ({ each, cidr })),
  );
}

function activeInterfaces(network: NetworkDescription): readonly InterfaceDescription[] {
  const ports = new Set(controllersOf(network).flatMap((each) => each.ports.map(({ name }) => name)));
  return presentInterfaces(network).filter(({ name, state }) => state !== 'down' && !ports.has(name));
}

function automaticInterfaces(network: NetworkDescription, family: Family): readonly InterfaceDescription[] {
  return activeInterfaces(network).filter((each) => {
    const ip = ipOf(each, family);
    return ip !== undefined && isAutomatic(ip);
  });
}

/** The next hop of the default route via an interface, in its canonical form. */
function gatewayOf(network: NetworkDescription, name: string, family: Family): string | undefined {
  const [route] = routesVia(network, name, family).filter(
    (each) =>
      parseDestination(each.destination ?? '')?.prefix === 0 && (each['table-id'] ?? 0) % mainTable === 0,
  );
  const hop = parseAddress(route === undefined ? '' : nextHopOf(route));
  return hop && formatAddress(hop);
}

/** The first of these hosts of a network that is no other address; the last address of the network if there is none. */
function freeHost(subnet: Cidr, indexes: readonly number[], others: readonly (string | undefined)[]): string {
  const hosts = indexes
    .flatMap((index) => nthHost(subnet, index) ?? [])
    .filter((host) => isHostOf(subnet, host));
  const found = hosts.map(formatAddress).find((host) => !others.includes(host));
  return found ?? formatAddress({ family: subnet.family, value: subnet.last });
}

function serversOf(network: NetworkDescription): readonly string[] {
  return network['dns-resolver']?.config?.server ?? [];
}

function serversIn(subnet: Cidr, network: NetworkDescription): readonly string[] {
  const servers = serversOf(network).flatMap((server) => {
    const address = parseAddress(server);
    return address !== undefined && contains(subnet, address) ? [formatAddress(address)] : [];
  });
  return [...new Set(servers)];
}

function vlanFindings(
  network: NetworkDescription,
  carriers: readonly InterfaceDescription[],
): readonly Finding[] {
  return [...new Set(carriers)]
    .filter((carrier) => usesVlan(network, carrier))
    .map(({ name = '' }) => ({
      code: 'libvirt/vlan',
      path: interfacePath(network, name),
      message: `${name} uses a VLAN, and a network of libvirt has none`,
      hint: bridgeHint,
    }));
}

const bridgeHint =
  'connect the machine to a bridge of the host that has it, with --bridge, or leave it out in the copy of the config for the virtual machine';

/** Whether an interface is a VLAN or has one as a port. */
function usesVlan(network: NetworkDescription, each: InterfaceDescription): boolean {
  const ports = [...portsOf(bondOf(each)), ...portsOf(each.bridge).flatMap(({ name }) => name ?? [])];
  return (
    each.type === 'vlan' ||
    presentInterfaces(network).some((other) => ports.includes(other.name ?? '') && usesVlan(network, other))
  );
}

function ambiguousFinding(network: NetworkDescription, others: readonly InterfaceDescription[]): Finding {
  const names = others.map(({ name = '' }) => name).join(', ');
  return {
    code: 'libvirt/network',
    path: interfacePath(network, others[0]?.name),
    message: `${names} has another address in the machine network, so the address of the node is not certain`,
    hint: 'set nodeIP in sno-config.yaml',
  };
}

function unusedFinding({ first, prefix, family }: Cidr): Finding {
  const cidr = `${formatAddress({ family, value: first })}/${prefix}`;
  return {
    code: 'libvirt/network',
    path: ['network', 'interfaces'],
    message: `no interface has an address in the machine network ${cidr} or ${family === 'IPv4' ? 'uses DHCP' : 'configures IPv6 automatically'}`,
    hint: 'add the address of the node to an interface',
  };
}

function gatewayFindings(subnet: Cidr, text: string | undefined): readonly Finding[] {
  const gateway = parseAddress(text ?? '');
  if (gateway === undefined || contains(subnet, gateway)) return [];
  return [
    {
      code: 'libvirt/network',
      path: ['network', 'routes', 'config'],
      message: `the gateway ${text ?? ''} is outside of the network of the node, so the host cannot have its address`,
      hint: bridgeHint,
    },
  ];
}

/** Source: dnsmasq option.c, "prefix length must be at least 64" */
function prefixFindings({ family, prefix, first }: Cidr): readonly Finding[] {
  if (family === 'IPv4' || prefix >= 64) return [];
  const cidr = `${formatAddress({ family, value: first })}/${prefix}`;
  return [
    {
      code: 'libvirt/network',
      path: ['network'],
      message: `the host cannot lease an address of the machine network ${cidr}: DHCP for IPv6 needs a prefix length of 64 or more`,
      hint: 'add a static address to an interface in the copy of the config for the virtual machine',
    },
  ];
}

/** Interfaces without an address, because the network has one lease: none if the node has a static address. */
function leaseFindings(
  network: NetworkDescription,
  fixed: readonly InterfaceDescription[],
): readonly Finding[] {
  const automatic = (['IPv4', 'IPv6'] as const).flatMap((family) => automaticInterfaces(network, family));
  const names = [...new Set(automatic)].map(({ name = '' }) => name);
  const isOnlyLease = fixed.length === 0 && names.length <= 1;
  const without = isOnlyLease ? [] : names.filter((name) => !fixed.some((each) => each.name === name));
  if (without.length === 0) return [];
  return [
    {
      code: 'libvirt/lease',
      path: interfacePath(network, without[0]),
      message: `${without.join(', ')} ${without.length === 1 ? 'uses' : 'use'} DHCP, and the network of libvirt has ${fixed.length === 0 ? 'one lease' : 'no lease'}`,
      hint: 'the node waits for the lease and continues without it',
    },
  ];
}

/** Name servers that the host does not replace. */
function nameServerFindings(
  { network, hasLocalDns }: NetworkSettings,
  stacks: readonly NetworkStack[],
): readonly Finding[] {
  const known = new Set(stacks.flatMap(({ gateway, nameServers }) => [gateway, ...nameServers]));
  return serversOf(network).flatMap((server, index): readonly Finding[] => {
    const address = parseAddress(server);
    if (hasLocalDns || address === undefined || known.has(formatAddress(address))) return [];
    return [
      {
        code: 'libvirt/name-server',
        path: ['network', 'dns-resolver', 'config', 'server', index],
        message: `the name server ${server} is outside of the virtual network, so it has to resolve the names of the cluster to the virtual machine`,
        hint: `use ${stacks[0]?.gateway ?? 'the gateway'} in the copy of the config for the virtual machine, or set dns.local: true`,
      },
    ];
  });
}
