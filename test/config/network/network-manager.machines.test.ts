import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { describedKeyfiles } from './described.js';
import { descriptionCorpus } from './description-corpus.js';

const programs = ['NetworkManager', 'nmcli', 'dbus-daemon', 'dnsmasq', 'ip', 'unshare'];
const timeoutMs = 3 * 60_000;

/** Writes the keyfiles of a description to a folder. */
function layProfiles(folder: string, description: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const keyfiles = Object.entries(describedKeyfiles(description));
  for (const [name, text] of keyfiles) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return keyfiles.map(([name]) => name);
}

function withNetworkManager(what: 'links' | 'loads', out: string): void {
  const script = join(import.meta.dirname, 'with-network-manager');
  const { status, stderr } = spawnSync(script, [what, out], { encoding: 'utf8', timeout: timeoutMs });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

const description = `
interfaces:
  - name: eno1
    mtu: 1400
    ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] }
    ipv6: { enabled: true, address: [{ ip: 'fd2e:6f44:5dd8::10', prefix-length: 64 }] }
  - name: lan
    identifier: mac-address
    mac-address: 52:54:00:00:00:02
    ipv4: { enabled: true, dhcp: true, auto-gateway: false, auto-dns: false }
  - name: br0
    type: linux-bridge
    bridge: { options: { stp: { enabled: false }, mac-ageing-time: 120 }, port: [{ name: eno3, stp-path-cost: 7 }] }
    ipv4: { enabled: true, address: [{ ip: 10.9.0.1, prefix-length: 16 }] }
dns-resolver: { config: { server: [192.168.126.1, 'fd2e:6f44:5dd8::1'], search: [example.com] } }
routes:
  config:
    - { destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: eno1 }
    - { destination: '::/0', next-hop-address: 'fd2e:6f44:5dd8::1', next-hop-interface: eno1, metric: 300 }
    - { destination: 10.10.0.0/16, next-hop-address: 10.9.0.254, next-hop-interface: br0, metric: 150 }
`;

interface Link {
  readonly ifname: string;
  readonly mtu: number;
  readonly master?: string;
  readonly addr_info: readonly {
    readonly local: string;
    readonly prefixlen: number;
    readonly dynamic?: true;
  }[];
  readonly linkinfo?: { readonly info_data?: Readonly<Record<string, number>> };
}

interface Route {
  readonly dst: string;
  readonly gateway?: string;
  readonly dev: string;
  readonly metric?: number;
}

describeWith(programs, 'a real NetworkManager', () => {
  test(
    'configures addresses, DHCP by MAC address, a bridge, routes and name servers',
    () => {
      const out = scratchFolder();
      layProfiles(join(out, 'profiles'), description);
      withNetworkManager('links', out);
      const read = (name: string): string => readFileSync(join(out, name), 'utf8');
      const links = JSON.parse(read('address.json')) as readonly Link[];
      const shown = links.map(({ ifname, mtu, master = '-', addr_info: addresses }) => {
        const texts = addresses.map(({ local, prefixlen, dynamic }) => {
          const text = dynamic === true ? local.replace(/\d+$/, 'leased') : local;
          return `${text}/${prefixlen}`;
        });
        return [ifname, mtu, master, ...texts].join(' ');
      });
      const routes = [
        ...(JSON.parse(read('route.json')) as Route[]),
        ...(JSON.parse(read('route6.json')) as Route[]),
      ];
      const routers = routes.filter(({ gateway }) => gateway !== undefined);

      expect(shown.toSorted()).toEqual([
        'br0 1500 - 10.9.0.1/16',
        'eno1 1400 - 192.168.126.10/24 fd2e:6f44:5dd8::10/64 fe80::5054:ff:fe00:1/64',
        'eno2 1500 - 10.20.0.leased/24',
        'eno3 1500 br0',
        'lo 65536 - 127.0.0.1/8 ::1/128',
      ]);
      const bridge = links.find(({ ifname }) => ifname === 'br0')?.linkinfo?.info_data;
      expect([bridge?.['stp_state'], bridge?.['ageing_time']]).toEqual([0, 12_000]);
      expect(routers.map(({ dst, gateway, dev, metric }) => [dst, gateway, dev, metric])).toEqual([
        ['default', '192.168.126.1', 'eno1', undefined],
        ['10.10.0.0/16', '10.9.0.254', 'br0', 150],
        ['default', 'fd2e:6f44:5dd8::1', 'eno1', 300],
      ]);
      expect(read('resolv.conf').split('\n').slice(1)).toEqual([
        'search example.com',
        'nameserver 192.168.126.1',
        'nameserver fd2e:6f44:5dd8::1',
        '',
      ]);
    },
    timeoutMs,
  );

  test(
    'finds the routers of a link without network',
    () => {
      const out = scratchFolder();
      layProfiles(join(out, 'profiles'), descriptionCorpus['a router of a link without network'] ?? '');
      withNetworkManager('links', out);
      const routes = ['route.json', 'route6.json'].flatMap(
        (name) => JSON.parse(readFileSync(join(out, name), 'utf8')) as readonly Route[],
      );
      const shown = routes
        .filter(({ dev }) => dev === 'eno1')
        .map(({ dst, gateway }) => `${dst} ${gateway ?? 'on the link'}`);

      expect(shown).toEqual(
        expect.arrayContaining([
          'default 192.168.101.1',
          '192.168.101.1 on the link',
          '10.9.0.0/16 10.1.0.1',
          '10.1.0.1 on the link',
          'default fd2e:6f44:5dd8::1',
          'fd2e:6f44:5dd8::1 on the link',
        ]),
      );
    },
    timeoutMs,
  );

  // Includes bonds and VLANs, which the kernel of the test machine may not support.
  test(
    'reads every profile of the corpus as intended',
    () => {
      const out = scratchFolder();
      const corpus = Object.values(descriptionCorpus).map((text, index) => {
        const names = layProfiles(join(out, 'profiles', String(index)), text);
        return { index, names };
      });
      withNetworkManager('loads', out);
      const loaded = corpus.map(({ index }) => readFileSync(join(out, String(index)), 'utf8'));
      const namesIn = (text: string): readonly string[] => text.match(/^.*\.nmconnection$/gm) ?? [];

      expect(loaded.map((text) => namesIn(text).toSorted())).toEqual(
        corpus.map(({ names }) => names.toSorted()),
      );
      expect(readFileSync(join(out, 'manager.log'), 'utf8')).not.toMatch(/<(warn|error)>.*keyfile/);
      const readAs: Readonly<Record<string, readonly string[]>> = {
        'a VLAN on a bond': [
          'bond.options:mode=802.3ad,miimon=100',
          'vlan.parent:bond0',
          'vlan.id:300',
          'ipv4.addresses:192.168.126.10/24',
          'ipv4.dns:192.168.126.1',
        ],
        'virtual functions': [
          'sriov.total-vfs:12',
          'sriov.autoprobe-drivers:0',
          `sriov.vfs:${[
            '0 vlans=100.5.ad',
            '1 vlans=0.2',
            '2 mac=52:54:00:AA:BB:CC max-tx-rate=1000 min-tx-rate=0',
            '10 spoof-check=false trust=true',
            '11 trust=false vlans=4095',
          ].join(', ')}`,
        ],
        'settings of drivers': [
          'ethtool.feature-tso:off',
          'ethtool.feature-tx-checksum-ip-generic:on',
          'ethtool.ring-rx:4096',
          'ethtool.coalesce-adaptive-rx:1',
          'ethtool.coalesce-rx-usecs-high:4',
          'ethtool.pause-rx:on',
        ],
      };
      for (const [name, lines] of Object.entries(readAs)) {
        const read = loaded[Object.keys(descriptionCorpus).indexOf(name)]?.split('\n');
        expect(read).toEqual(expect.arrayContaining([...lines]));
      }
    },
    timeoutMs,
  );
});
