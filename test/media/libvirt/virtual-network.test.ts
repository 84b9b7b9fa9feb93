import { describe, expect, test } from 'vitest';

import type { InterfaceDescription, NetworkDescription } from '../../../src/config/schema/network-model.js';
import {
  type NetworkSettings,
  type NetworkStack,
  virtualNetwork,
} from '../../../src/media/libvirt/virtual-network.js';

const v4 = '192.168.126.0/24';
const v6 = 'fd2e::/64';

function fixed(ip: string, length = 24): NonNullable<InterfaceDescription['ipv4']> {
  return { enabled: true, dhcp: false, address: [{ ip, 'prefix-length': length }] };
}

const dhcp = { enabled: true, dhcp: true } as const;

function settings(network: NetworkDescription, more: Partial<NetworkSettings> = {}): NetworkSettings {
  return { network, machineNetworks: [v4], hasLocalDns: false, ...more };
}

/** A static address with a gateway. */
function site(more: Partial<NetworkDescription> = {}, gateway = '192.168.126.254'): NetworkDescription {
  return {
    interfaces: [{ name: 'enp1s0', ipv4: fixed('192.168.126.20') }],
    routes: {
      config: [{ destination: '0.0.0.0/0', 'next-hop-address': gateway, 'next-hop-interface': 'enp1s0' }],
    },
    ...more,
  };
}

const plain: NetworkStack = {
  family: 'IPv4',
  gateway: '192.168.126.1',
  prefix: 24,
  node: '192.168.126.10',
  isLeased: true,
  nameServers: [],
};

const plainV6: NetworkStack = { ...plain, family: 'IPv6', gateway: 'fd2e::1', prefix: 64, node: 'fd2e::a' };

const sound: readonly {
  name: string;
  given: NetworkSettings;
  want: readonly NetworkStack[];
  mtu?: number;
}[] = [
  { name: 'without interfaces', given: settings({}), want: [plain] },
  {
    name: 'with nodeIP only',
    given: settings({}, { nodeIP: '192.168.126.1' }),
    want: [{ ...plain, gateway: '192.168.126.2', node: '192.168.126.1' }],
  },
  {
    name: 'of two addresses',
    given: settings({}, { machineNetworks: ['10.0.0.0/30'] }),
    want: [{ ...plain, gateway: '10.0.0.1', prefix: 30, node: '10.0.0.2' }],
  },
  {
    name: 'of both families',
    given: settings({}, { machineNetworks: [v4, v6] }),
    want: [plain, plainV6],
  },
  {
    name: 'with a static address, the gateway of the config and a smaller network than the machine network',
    given: settings(site(), { machineNetworks: ['192.168.0.0/16'] }),
    want: [{ ...plain, gateway: '192.168.126.254', node: '192.168.126.20', isLeased: false }],
  },
  {
    name: 'with a name server in the network',
    given: settings(site({ 'dns-resolver': { config: { server: ['192.168.126.53', '192.168.126.254'] } } })),
    want: [
      {
        ...plain,
        gateway: '192.168.126.254',
        node: '192.168.126.20',
        isLeased: false,
        nameServers: ['192.168.126.53'],
      },
    ],
  },
  {
    name: 'without a gateway, with the first address as name server',
    given: settings(site({ routes: {}, 'dns-resolver': { config: { server: ['192.168.126.1'] } } })),
    want: [{ ...plain, node: '192.168.126.20', isLeased: false }],
  },
  {
    name: 'without a gateway, with a name server that is there twice',
    given: settings(
      site({
        routes: {},
        'dns-resolver': {
          config: { server: ['192.168.126.2', '192.168.126.1', '192.168.126.2'] },
        },
      }),
    ),
    want: [{ ...plain, node: '192.168.126.20', isLeased: false, nameServers: ['192.168.126.2'] }],
  },
  {
    name: 'with DHCP and a name server that has the tenth address',
    given: settings({
      interfaces: [{ name: 'enp1s0', ipv4: dhcp }],
      'dns-resolver': { config: { server: ['192.168.126.10'] } },
    }),
    want: [{ ...plain, node: '192.168.126.2', nameServers: ['192.168.126.10'] }],
  },
  {
    name: 'with a gateway and a name server that are one address in two forms',
    given: settings(
      {
        interfaces: [
          { name: 'enp1s0', ipv6: { enabled: true, address: [{ ip: 'fd2e::10', 'prefix-length': 64 }] } },
        ],
        routes: {
          config: [
            {
              destination: '::/0',
              'next-hop-address': 'FD2E:0::FE',
              'next-hop-interface': 'enp1s0',
            },
          ],
        },
        'dns-resolver': { config: { server: ['fd2e::fe'] } },
      },
      { machineNetworks: [v6] },
    ),
    want: [{ ...plainV6, gateway: 'fd2e::fe', node: 'fd2e::10', isLeased: false }],
  },
  {
    name: 'with static IPv6 and large packets on a bond',
    given: settings(
      {
        interfaces: [
          {
            name: 'bond0',
            type: 'bond',
            mtu: 9000,
            bond: { mode: 'active-backup', ports: ['enp1s0', 'enp2s0'] },
            ipv6: { enabled: true, address: [{ ip: 'FD2E::10', 'prefix-length': 64 }] },
          },
        ],
      },
      { machineNetworks: [v6], nodeIP: 'fd2e::10' },
    ),
    want: [{ ...plainV6, node: 'fd2e::10', isLeased: false }],
    mtu: 9000,
  },
  {
    name: 'with DHCP',
    given: settings({ interfaces: [{ name: 'enp1s0', ipv4: dhcp }] }, { nodeIP: '192.168.126.77' }),
    want: [{ ...plain, node: '192.168.126.77' }],
  },
  {
    name: 'with the address of nodeIP among several',
    given: settings(
      {
        interfaces: [
          { name: 'enp1s0', ipv4: fixed('192.168.126.20') },
          { name: 'enp2s0', ipv4: fixed('192.168.126.21') },
        ],
      },
      { nodeIP: '192.168.126.21' },
    ),
    want: [{ ...plain, node: '192.168.126.21', isLeased: false }],
  },
  {
    name: 'with another name server and local DNS',
    given: settings(site({ 'dns-resolver': { config: { server: ['8.8.8.8'] } } }), { hasLocalDns: true }),
    want: [{ ...plain, gateway: '192.168.126.254', node: '192.168.126.20', isLeased: false }],
  },
];

const bond = { name: 'bond0', type: 'bond', bond: { mode: '802.3ad', ports: ['enp1s0', 'enp2s0'] } } as const;

function vlan(base: string, more: Partial<InterfaceDescription> = {}): InterfaceDescription {
  return { name: `${base}.7`, type: 'vlan', vlan: { 'base-iface': base, id: 7 }, ...more };
}

const faulty: readonly { name: string; given: NetworkSettings; want: readonly string[] }[] = [
  {
    name: 'a VLAN with the address',
    given: settings({
      interfaces: [
        { ...bond, bond: { ...bond.bond, ports: [...bond.bond.ports] } },
        vlan('bond0', { ipv4: fixed('192.168.126.20') }),
      ],
    }),
    want: ['libvirt/vlan network.interfaces.1: bond0.7 uses a VLAN, and a network of libvirt has none'],
  },
  {
    name: 'a bridge with a VLAN as port',
    given: settings({
      interfaces: [
        { name: 'br0', type: 'linux-bridge', bridge: { port: [{ name: 'enp1s0.7' }] }, ipv4: dhcp },
        vlan('enp1s0'),
      ],
    }),
    want: ['libvirt/vlan network.interfaces.0: br0 uses a VLAN, and a network of libvirt has none'],
  },
  {
    name: 'two addresses in the machine network',
    given: settings({
      interfaces: [
        { name: 'enp1s0', ipv4: fixed('192.168.126.20') },
        { name: 'enp2s0', ipv4: fixed('192.168.126.21') },
      ],
    }),
    want: [
      'libvirt/network network.interfaces.1: enp2s0 has another address in the machine network, so the address of the node is not certain',
    ],
  },
  {
    name: 'no address in the machine network',
    given: settings({ interfaces: [{ name: 'enp1s0', ipv4: fixed('10.1.0.5') }] }),
    want: [
      'libvirt/network network.interfaces: no interface has an address in the machine network 192.168.126.0/24 or uses DHCP',
    ],
  },
  {
    name: 'a gateway in another network',
    given: settings(site({}, '10.9.9.9')),
    want: [
      'libvirt/network network.routes.config: the gateway 10.9.9.9 is outside of the network of the node, so the host cannot have its address',
    ],
  },
  {
    name: 'another interface with DHCP',
    given: settings(
      site({
        interfaces: [
          { name: 'enp1s0', ipv4: fixed('192.168.126.20') },
          { name: 'enp2s0', ipv4: dhcp },
        ],
      }),
    ),
    want: ['libvirt/lease network.interfaces.1: enp2s0 uses DHCP, and the network of libvirt has no lease'],
  },
  {
    name: 'two interfaces with DHCP',
    given: settings({
      interfaces: [
        { name: 'enp1s0', ipv4: dhcp },
        { name: 'enp2s0', ipv4: dhcp },
      ],
    }),
    want: [
      'libvirt/lease network.interfaces.0: enp1s0, enp2s0 use DHCP, and the network of libvirt has one lease',
    ],
  },
  {
    name: 'a lease of a large IPv6 network',
    given: settings({}, { machineNetworks: ['fd2e::/60'] }),
    want: [
      'libvirt/network network: the host cannot lease an address of the machine network fd2e::/60: DHCP for IPv6 needs a prefix length of 64 or more',
    ],
  },
  {
    name: 'another name server',
    given: settings(site({ 'dns-resolver': { config: { server: ['192.168.126.254', '10.0.0.53'] } } })),
    want: [
      'libvirt/name-server network.dns-resolver.config.server.1: the name server 10.0.0.53 is outside of the virtual network, so it has to resolve the names of the cluster to the virtual machine',
    ],
  },
];

describe('the network of a virtual machine', () => {
  test.each(sound)('$name', ({ given, want, mtu }) => {
    expect(virtualNetwork(given)).toEqual({
      network: { ...(mtu !== undefined && { mtu }), stacks: want },
      findings: [],
    });
  });

  test.each(faulty)('cannot have $name', ({ given, want }) => {
    const { findings } = virtualNetwork(given);
    expect(findings.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual(want);
  });
});
