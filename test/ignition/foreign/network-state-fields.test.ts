import { describe, expect, it } from 'vitest';

import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { unknownStateFields } from '../../../src/ignition/foreign/network-state-fields.js';

/** Unknown fields with their place; `(ignored)` if nmstate reads the rest of the state. */
function unknownIn(text: string): readonly string[] {
  const {
    documents: [root],
  } = readYaml(text);
  if (root?.kind !== 'map') throw new Error('the state is not a map');
  return unknownStateFields(root).map(({ name, within, isIgnored, otherType }) =>
    [within, name, ...(isIgnored ? ['(ignored)'] : []), ...(otherType === undefined ? [] : [otherType])]
      .filter((part) => part !== '')
      .join(' '),
  );
}

const port = (fields: string): string => `interfaces: [{name: a, ${fields}}]`;

// The verdicts are those of nmstate 2.2.62.
describe('a field that nmstate refuses', () => {
  it.each([
    ['interface: []', 'interface'],
    ['dns-resolver: {config: {servers: []}}', 'dns-resolver.config servers'],
    ['routes: {config: [{dest: 0.0.0.0/0}]}', 'routes.config[0] dest'],
    ['route-rules: {config: [{from: 10.0.0.1}]}', 'route-rules.config[0] from'],
    [port('ipv4: {adresses: []}'), 'interfaces[0].ipv4 adresses'],
    [
      port('ipv6: {enabled: true, address: [{ip: "::1", prefix: 64}]}'),
      'interfaces[0].ipv6.address[0] prefix',
    ],
    [port('type: bond, link-aggregation: {slaves: [b]}'), 'interfaces[0].link-aggregation slaves'],
    [
      port('type: bond, link-aggregation: {mode: "1", options: {mii-mon: 100}}'),
      'interfaces[0].link-aggregation.options mii-mon',
    ],
    [port('type: vlan, vlan: {base: b, id: 5}'), 'interfaces[0].vlan base'],
    [
      port('type: linux-bridge, bridge: {options: {stp: {enable: true}}}'),
      'interfaces[0].bridge.options.stp enable',
    ],
    [port('type: ovs-bridge, bridge: {port: [{name: b, tag: 1}]}'), 'interfaces[0].bridge.port[0] tag'],
    [
      port('type: ethernet, ethernet: {sr-iov: {vfs: [{id: 0, vlan: 1}]}}'),
      'interfaces[0].ethernet.sr-iov.vfs[0] vlan',
    ],
    [port('ethtool: {ring: {rx-size: 1}}'), 'interfaces[0].ethtool.ring rx-size'],
    [port('lldp: {enable: true}'), 'interfaces[0].lldp enable'],
    ['desiredState: {interfaces: [{name: a, ipv4: {dhcp4: true}}]}', 'desiredState.interfaces[0].ipv4 dhcp4'],
  ])('%s', (text, want) => {
    expect(unknownIn(text)).toEqual([want]);
  });
});

describe('a field that nmstate ignores', () => {
  it.each([
    [port('ip4: {enabled: true}'), 'interfaces[0] ip4 (ignored)'],
    [port('type: ethernet, vlan: {id: 5}'), 'interfaces[0] vlan (ignored) ethernet'],
    [port('type: dummy, mtus: 1500'), 'interfaces[0] mtus (ignored)'],
    [
      port('type: bond, link-aggregation: {ports-config: [{name: b, queue: 1}]}'),
      'interfaces[0].link-aggregation.ports-config[0] queue (ignored)',
    ],
  ])('%s', (text, want) => {
    expect(unknownIn(text)).toEqual([want]);
  });
});

it.each([
  port('state: absent, anything: here'),
  port('vlan: {base-iface: b, id: 5}'),
  port('type: bond, bond: {mode: active-backup, ports: [b], options: {balance-slb: true}}'),
  port('type: vrf, vrf: {ports: [b], route-table-id: 100}'),
  port('type: ovs-bridge, bridge: {options: {stp: true}, ports: [{name: b, bond: {ports: [{name: c}]}}]}'),
  port('ovs-db: {external_ids: {any: thing}}, ethtool: {feature: {rx-gro: true}}'),
  port('ipv6: {address: [{ip: "::1", prefix-length: 64, valid-lft: forever}]}'),
  'capture: {gw: routes.running.destination=="0.0.0.0/0"}\ndesiredState: {interfaces: "{{ capture.gw.interfaces }}"}',
  'ovn: {bridge-mappings: [{localnet: a, bridge: br-ex, state: present}]}',
])('accepts %s', (text) => {
  expect(unknownIn(text)).toEqual([]);
});
