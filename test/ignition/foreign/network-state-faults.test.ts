import { describe, expect, it } from 'vitest';

import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { stateFileFaults } from '../../../src/ignition/foreign/network-state-faults.js';

/** Messages without the verb; `(ignored)` if nmstate reads the rest of the state. */
function faultsIn(text: string): readonly string[] {
  const {
    documents: [root],
  } = readYaml(text);
  if (root?.kind !== 'map') throw new Error('the state is not a map');
  return stateFileFaults(root).map(
    ({ message, isIgnored }) => message.replace(/^has /, '') + (isIgnored ? ' (ignored)' : ''),
  );
}

const port = (fields: string): string => `interfaces: [{name: a, ${fields}}]`;

const address = (fields: string): string => port(`ipv4: {enabled: true, address: [{${fields}}]}`);
const unknown = (name: string, place: string): string => `the unknown field "${name}" in ${place}`;

// The verdicts are those of nmstatectl gc of nmstate 2.2.62, and of NetworkManager for names and VLANs.
describe('what nmstate refuses', () => {
  it.each([
    ['interface: []', 'the unknown field "interface"'],
    ['dns-resolver: {config: {servers: []}}', unknown('servers', 'dns-resolver.config')],
    ['routes: {config: [{dest: 0.0.0.0/0}]}', unknown('dest', 'routes.config[0]')],
    ['route-rules: {config: [{from: 10.0.0.1}]}', unknown('from', 'route-rules.config[0]')],
    [port('ipv4: {adresses: []}'), unknown('adresses', 'interfaces[0].ipv4')],
    [
      port('type: bond, link-aggregation: {slaves: [b]}'),
      unknown('slaves', 'interfaces[0].link-aggregation'),
    ],
    [
      port('type: bond, link-aggregation: {mode: "1", options: {mii-mon: 100}}'),
      unknown('mii-mon', 'interfaces[0].link-aggregation.options'),
    ],
    [port('type: vlan, vlan: {base: b, id: 5}'), unknown('base', 'interfaces[0].vlan')],
    [
      port('type: linux-bridge, bridge: {options: {stp: {enable: true}}}'),
      unknown('enable', 'interfaces[0].bridge.options.stp'),
    ],
    [
      port('type: ovs-bridge, bridge: {port: [{name: b, tag: 1}]}'),
      unknown('tag', 'interfaces[0].bridge.port[0]'),
    ],
    [
      port('type: ethernet, ethernet: {sr-iov: {vfs: [{id: 0, vlan: 1}]}}'),
      unknown('vlan', 'interfaces[0].ethernet.sr-iov.vfs[0]'),
    ],
    [port('ethtool: {ring: {rx-size: 1}}'), unknown('rx-size', 'interfaces[0].ethtool.ring')],
    [
      'desiredState: {interfaces: [{name: a, ipv4: {dhcp4: true}}]}',
      unknown('dhcp4', 'desiredState.interfaces[0].ipv4'),
    ],
    [port('mtu: null'), 'no value in interfaces[0].mtu, expected a number from 0 to 18446744073709551615'],
    [port('mtu: 1500.5'), 'a number in interfaces[0].mtu, expected a number from 0 to 18446744073709551615'],
    [port('mtu: big'), '"big" in interfaces[0].mtu, expected a number from 0 to 18446744073709551615'],
    [
      port('min-mtu: "68"'),
      '"68" in interfaces[0].min-mtu, expected a number from 0 to 18446744073709551615',
    ],
    [port('description: 5'), 'a number in interfaces[0].description, expected a string'],
    [port('state: upp'), '"upp" in interfaces[0].state, expected up, down, absent, unknown, ignore'],
    [port('wait-ip: both'), '"both" in interfaces[0].wait-ip, expected any, ipv4, ipv6, ipv4+ipv6'],
    [
      port('mac-address: 52-54-00-12-34-56'),
      '"52-54-00-12-34-56" in interfaces[0].mac-address, expected a MAC address such as 52:54:00:12:34:56',
    ],
    [port('ipv4: {enabled: sure}'), '"sure" in interfaces[0].ipv4.enabled, expected true or false'],
    [port('ipv4: {dhcp-client-id: 5}'), 'a number in interfaces[0].ipv4.dhcp-client-id, expected a string'],
    [port('ipv4: {address: {ip: 10.0.0.1}}'), 'an object in interfaces[0].ipv4.address, expected a list'],
    [port('ipv4: true'), 'a boolean in interfaces[0].ipv4, expected an object'],
    [address('ip: 10.0.0.1'), 'no prefix-length in interfaces[0].ipv4.address[0]'],
    [
      address('ip: 10.0.0.1, prefix-length: 33'),
      '33 in interfaces[0].ipv4.address[0].prefix-length, expected a number up to 32',
    ],
    [
      address('ip: 10.0.0.1, prefix-length: 240'),
      '240 in interfaces[0].ipv4.address[0].prefix-length, expected a number up to 32',
    ],
    [
      address('ip: 10.0.0.1, prefix-length: 300'),
      'a number in interfaces[0].ipv4.address[0].prefix-length, expected a number from 0 to 255',
    ],
    [
      address('ip: 10.0.0.1/24, prefix-length: 24'),
      '"10.0.0.1/24" in interfaces[0].ipv4.address[0].ip, expected an IP address',
    ],
    [address('ip: "::1", prefix-length: 24'), 'an IPv6 address in interfaces[0].ipv4.address[0].ip'],
    [port('type: vlan, vlan: {base-iface: b}'), 'no id in interfaces[0].vlan'],
    [
      port('type: vlan, vlan: {id: 5, reorder-headers: "yes"}'),
      '"yes" in interfaces[0].vlan.reorder-headers, expected true or false',
    ],
    [
      port('type: vlan, vlan: {base-iface: b, id: 5000}'),
      '5000 in interfaces[0].vlan.id, expected a VLAN from 0 to 4094',
    ],
    [
      port('type: bond, link-aggregation: {mode: activebackup}'),
      '"activebackup" in interfaces[0].link-aggregation.mode, expected balance-rr, active-backup, balance-xor, ' +
        'broadcast, 802.3ad, lacp, balance-tlb, balance-alb, unknown',
    ],
    [
      port('type: bond, link-aggregation: {mode: active-backup, port: b}'),
      '"b" in interfaces[0].link-aggregation.port, expected a list',
    ],
    [
      port('type: linux-bridge, bridge: {port: [b]}'),
      '"b" in interfaces[0].bridge.port[0], expected an object',
    ],
    [
      port('ethtool: {feature: {rx-gro: "yes"}}'),
      '"yes" in interfaces[0].ethtool.feature.rx-gro, expected true or false',
    ],
    [
      port('ethernet: {duplex: Full}, type: ethernet'),
      '"Full" in interfaces[0].ethernet.duplex, expected full, half',
    ],
    [port('lldp: {}'), 'no enabled in interfaces[0].lldp'],
    [
      'interfaces: [{name: storage-network0, type: ethernet}]',
      '"storage-network0" in interfaces[0].name, which is not a name of an interface: it is longer than 15 characters',
    ],
    [
      port('type: vlan, vlan: {base-iface: "eth0:1", id: 5}'),
      '"eth0:1" in interfaces[0].vlan.base-iface, which is not a name of an interface: "/", ":" and "%" are not allowed',
    ],
    ['interfaces: [{type: ethernet}]', 'no name in interfaces[0]'],
    ['interfaces: {name: a}', 'an object in interfaces, expected a list of interfaces'],
    ['interfaces: [a]', '"a" in interfaces[0], expected an interface'],
    ['interfaces: null', 'no value in interfaces, expected a list of interfaces'],
    [
      'routes: {config: [{destination: 10.0.0.0/33, next-hop-interface: a}]}',
      '"10.0.0.0/33" in routes.config[0].destination, expected a network such as 192.168.0.0/24',
    ],
    [
      'routes: {config: [{destination: 10.0.0.0/8, next-hop-address: 1.2.3}]}',
      '"1.2.3" in routes.config[0].next-hop-address, expected an IP address',
    ],
    ['routes: {config: {destination: 0.0.0.0/0}}', 'an object in routes.config, expected a list'],
    [
      'route-rules: {config: [{ip-from: office}]}',
      '"office" in route-rules.config[0].ip-from, expected a network such as 192.168.0.0/24',
    ],
    [
      'dns-resolver: {config: {server: 10.0.0.1}}',
      '"10.0.0.1" in dns-resolver.config.server, expected a list',
    ],
    ['hostname: box', '"box" in hostname, expected an object'],
  ])('%s', (text, want) => {
    expect(faultsIn(text)).toEqual([want]);
  });
});

describe('what nmstate ignores', () => {
  it.each([
    [port('ip4: {enabled: true}'), `${unknown('ip4', 'interfaces[0]')} (ignored)`],
    [
      port('type: ethernet, vlan: {id: 5}'),
      'vlan in interfaces[0], an interface of type "ethernet" (ignored)',
    ],
    [port('type: dummy, mtus: 1500'), `${unknown('mtus', 'interfaces[0]')} (ignored)`],
    [
      port('type: bond, link-aggregation: {ports-config: [{name: b, queue: 1}]}'),
      `${unknown('queue', 'interfaces[0].link-aggregation.ports-config[0]')} (ignored)`,
    ],
    [port('type: ethernett'), 'the unknown type "ethernett" in interfaces[0] (ignored)'],
  ])('%s', (text, want) => {
    expect(faultsIn(text)).toEqual([want]);
  });
});

it.each([
  port('state: absent, anything: here'),
  port('vlan: {base-iface: b, id: 5}'),
  port('type: bond, bond: {mode: active-backup, ports: [b], options: {balance-slb: true}}'),
  port(
    'type: bond, bond: {mode: 1, ports: [b], options: {miimon: "100", lacp_rate: 1, all_slaves_active: "1"}}',
  ),
  port('type: vrf, vrf: {ports: [b], route-table-id: 100}'),
  port('type: ovs-bridge, bridge: {options: {stp: true}, ports: [{name: b, bond: {ports: [{name: c}]}}]}'),
  port('ovs-db: {external_ids: {any: thing}}, ethtool: {feature: {rx-gro: true}}'),
  port('ipv6: {address: [{ip: "::1", prefix-length: 64, valid-lft: forever}]}'),
  port('mtu: "1500", ipv4: {enabled: "yes", dhcp: 1, auto-route-metric: "-1", address: null}'),
  port('mtu: "0x5dc", ipv4: null, description: null'),
  port('type: ethernet, ethernet: {speed: "1000", auto-negotiation: off}'),
  port(
    'type: linux-bridge, bridge: {port: [{name: b, vlan: {trunk-tags: [{id: 101}, {id-range: {min: 1, max: 5}}]}}]}',
  ),
  'interfaces: [{name: a-long-bridge-of-ovs, type: ovs-bridge}, {name: the first port, identifier: mac-address, mac-address: 52:54:00:12:34:56}]',
  'interfaces: [{name: lo, type: loopback, ipv4: {enabled: true, address: [{ip: 10.0.0.1, prefix-length: 32}]}}]',
  'routes: {config: [{destination: 10.0.0.1, next-hop-interface: a, next-hop-address: "fe80::1", metric: "150"}]}',
  'capture: {gw: routes.running.destination=="0.0.0.0/0"}\ndesiredState: {interfaces: "{{ capture.gw.interfaces }}"}',
  'desired: {interfaces: [{name: "{{ capture.base.interfaces.0.name }}", mtu: "{{ capture.base.interfaces.0.mtu }}", ipv4: {address: "{{ capture.base.interfaces.0.ipv4.address }}"}}], routes: {config: "{{ capture.routes.routes.running }}"}}',
  'ovn: {bridge-mappings: [{localnet: a, bridge: br-ex, state: present}]}',
])('accepts %s', (text) => {
  expect(faultsIn(text)).toEqual([]);
});
