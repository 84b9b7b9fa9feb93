import { describe, expect, test } from 'vitest';

import type { InterfaceDescription } from '../../../src/config/schema/network-model.js';
import { virtualCards } from '../../../src/media/libvirt/virtual-cards.js';

const options = { clusterDomain: 'site1.example.com', architecture: 'amd64' } as const;

const derivedMac: unknown = expect.stringMatching(/^52:54:00(?::[0-9a-f]{2}){3}$/);

const known = { identifier: 'mac-address', 'mac-address': '52:54:00:AB:cd:01' } as const;

const sound: readonly { name: string; interfaces: readonly InterfaceDescription[]; want: unknown }[] = [
  { name: 'by MAC address', interfaces: [{ name: 'any', ...known }], want: [{ mac: '52:54:00:ab:cd:01' }] },
  {
    name: 'with a MAC address that the profile sets',
    interfaces: [{ name: 'enp1s0', 'mac-address': '52:54:00:00:00:09' }],
    want: [{ mac: '52:54:00:00:00:09', place: { bus: 1 } }],
  },
  {
    name: 'on board',
    interfaces: [{ name: 'eno2', type: 'ethernet' }],
    want: [{ mac: derivedMac, acpiIndex: 2 }],
  },
  {
    name: 'with a function',
    interfaces: [{ name: 'enp16s0f0' }, { name: 'enp16s0f1' }],
    want: [
      { mac: derivedMac, place: { bus: 16, functionNumber: 0 } },
      { mac: derivedMac, place: { bus: 16, functionNumber: 1 } },
    ],
  },
  {
    name: 'of a bond whose ports have no description',
    interfaces: [
      { name: 'bond0', type: 'bond', 'link-aggregation': { mode: '802.3ad', port: ['eno1', 'enp3s0'] } },
    ],
    want: [
      { mac: derivedMac, acpiIndex: 1 },
      { mac: derivedMac, place: { bus: 3 } },
    ],
  },
  {
    name: 'of VLANs, dummies and the loopback: none',
    interfaces: [
      { name: 'p', ...known },
      { name: 'p.7', type: 'vlan', vlan: { 'base-iface': 'p', id: 7 } },
      { name: 'd0', type: 'dummy' },
      { name: 'lo', type: 'loopback' },
      { name: 'gone', state: 'absent' },
    ],
    want: [{ mac: '52:54:00:ab:cd:01' }],
  },
];

const ens1f0Finding =
  'libvirt/interface-name network.interfaces.0: no network card of a virtual machine gets the name';

const faulty: readonly { interfaces: readonly InterfaceDescription[]; want: readonly string[] }[] = [
  ...['ens1f0', 'eth0', 'enp1s0f0np0', 'enp17s0', 'enp0s3', 'enp1s1', 'eno0', 'uplink'].map((name) => ({
    interfaces: [{ name }],
    want: [`${ens1f0Finding} ${name}`],
  })),
  {
    interfaces: [
      { name: 'bond0', type: 'bond', bond: { mode: 'active-backup', ports: ['ens1f0', 'ens1f1'] } },
    ],
    want: [`${ens1f0Finding} ens1f0`, `${ens1f0Finding} ens1f1`],
  },
  {
    interfaces: [{ name: 'enp1s0', ethernet: { 'sr-iov': { 'total-vfs': 8 } } }],
    want: [
      'libvirt/sr-iov network.interfaces.0.ethernet.sr-iov: the virtual network card of enp1s0 has no virtual functions',
    ],
  },
  {
    interfaces: [{ name: 'bond0', type: 'bond', bond: { mode: 'balance-xor', ports: ['enp1s0', 'enp2s0'] } }],
    want: [
      'libvirt/bond-mode network.interfaces.0: bond0 with mode balance-xor needs a channel group in the switch, and a virtual network has none',
    ],
  },
];

describe('the network cards of a virtual machine', () => {
  test.each(sound)('$name', ({ interfaces, want }) => {
    expect(virtualCards({ interfaces: [...interfaces] }, options)).toEqual({ cards: want, findings: [] });
  });

  test('without interfaces are one with a MAC address of the cluster', () => {
    const [site1, again, site2] = ['site1', 'site1', 'site2'].map((name) =>
      virtualCards(undefined, { ...options, clusterDomain: `${name}.example.com` }),
    );
    expect(site1).toEqual({ cards: [{ mac: derivedMac }], findings: [] });
    expect(again).toEqual(site1);
    expect(site2).not.toEqual(site1);
  });

  test.each(faulty)('report $want', ({ interfaces, want }) => {
    const { findings } = virtualCards({ interfaces: [...interfaces] }, options);
    expect(findings.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual(want);
  });

  test('have names that differ in hints', () => {
    const ports = ['ens1f0', 'ens1f1', 'enp2s0'];
    const bond = { name: 'bond0', type: 'bond', bond: { mode: 'active-backup', ports } } as const;
    const { findings } = virtualCards({ interfaces: [bond] }, options);
    expect(findings.map(({ hint }) => hint?.replace(/^.*, or /, ''))).toEqual([
      'name it enp1s0 for the virtual machine',
      'name it enp3s0 for the virtual machine',
    ]);
  });

  test('have no index of the firmware on arm64', () => {
    const { findings } = virtualCards(
      { interfaces: [{ name: 'eno1' }] },
      { ...options, architecture: 'arm64' },
    );
    expect(findings.map(({ code }) => code)).toEqual(['libvirt/interface-name']);
  });
});
