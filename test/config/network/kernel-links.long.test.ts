import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { describedKeyfiles } from './described.js';

const description = `
interfaces:
  - name: bond0
    type: bond
    mtu: 9000
    link-aggregation: { mode: active-backup, options: { miimon: 100, primary: eno1 }, port: [eno1, second] }
  - { name: second, identifier: mac-address, mac-address: '52:54:00:00:00:02' }
  - { name: eno3, state: down }
  - name: bond0.7
    type: vlan
    mtu: 1500
    vlan: { base-iface: bond0, id: 7 }
    ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] }
    ipv6: { enabled: true, address: [{ ip: 'fd2e::10', prefix-length: 64 }] }
dns-resolver: { config: { server: [192.168.126.1] } }
routes:
  config:
    - { destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: bond0.7 }
    - { destination: '::/0', next-hop-address: 'fd2e::1', next-hop-interface: bond0.7 }
`;

interface Link {
  readonly ifname: string;
  readonly mtu: number;
  readonly master?: string;
  readonly link?: string;
  readonly addr_info: readonly { readonly local: string; readonly prefixlen: number }[];
  readonly linkinfo?: { readonly info_data?: Readonly<Record<string, string | number>> };
}

interface Route {
  readonly dst: string;
  readonly gateway?: string;
  readonly dev: string;
}

describeWith(
  ['qemu-system-x86_64', 'NetworkManager', 'dbus-daemon', 'cpio', 'ip'],
  'a kernel with bonds and VLANs',
  () => {
    test(
      'has a VLAN on a bond of two ports, one found by its MAC address, as it is described',
      () => {
        const scratch = scratchFolder();
        const profiles = join(scratch, 'profiles');
        mkdirSync(profiles);
        for (const [name, text] of Object.entries(describedKeyfiles(description)))
          writeFileSync(join(profiles, name), text);
        const script = join(import.meta.dirname, 'boot-network-manager');
        const { status, stdout, stderr } = spawnSync(script, [profiles, scratch], { encoding: 'utf8' });
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        const [links, ...routes] = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown) as [Link[], ...Route[][]];
        const about = (name: string): Link | undefined => links.find(({ ifname }) => ifname === name);
        const bond = about('bond0')?.linkinfo?.info_data;

        expect(['eno1', 'eno2', 'eno3'].map((name) => about(name)?.master)).toEqual([
          'bond0',
          'bond0',
          undefined,
        ]);
        expect([about('bond0')?.mtu, bond?.['mode'], bond?.['miimon'], bond?.['primary']]).toEqual([
          9000,
          'active-backup',
          100,
          'eno1',
        ]);
        expect([
          about('bond0.7')?.mtu,
          about('bond0.7')?.link,
          about('bond0.7')?.linkinfo?.info_data?.['id'],
        ]).toEqual([1500, 'bond0', 7]);
        const addresses = about('bond0.7')?.addr_info.map(({ local, prefixlen }) => `${local}/${prefixlen}`);
        expect(addresses?.filter((address) => !address.startsWith('fe80'))).toEqual([
          '192.168.126.10/24',
          'fd2e::10/64',
        ]);
        expect(about('bond0')?.addr_info).toEqual([]);
        const routers = routes.flat().filter(({ gateway }) => gateway !== undefined);
        expect(routers.map(({ dst, gateway, dev }) => [dst, gateway, dev])).toEqual([
          ['default', '192.168.126.1', 'bond0.7'],
          ['default', 'fd2e::1', 'bond0.7'],
        ]);
      },
      10 * 60_000,
    );
  },
);
