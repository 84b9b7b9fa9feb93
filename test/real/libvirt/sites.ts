import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { snoInProcess } from '../../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';

const arm = minimalInstallConfig.replaceAll(/^( {2}replicas: .*)$/gm, '$1\n  architecture: arm64');
const bothFamilies = readFileSync('fixtures/configs/dual-stack/install-config.yaml', 'utf8');
const hints = minimalInstallConfig.replace(/^bootstrapInPlace:\n.*\n/m, '');

const everyHint = `rootDeviceHints: { model: PERC H755, vendor: DELL, serialNumber: S6ESNX0R100123,
  wwn: '0x5000c500a1b2c3d4', minSizeGigabytes: 480, rotational: false }
`;
const everyCard = `network:
  interfaces:
    - { name: bond0, type: bond, mtu: 9000, link-aggregation: { mode: active-backup, port: [eno1, enp9s0f0, enp9s0f1] },
        ipv4: { enabled: true, address: [{ ip: 192.168.126.20, prefix-length: 24 }] } }
    - { name: other, identifier: mac-address, mac-address: '52:54:00:AA:00:01', state: down }
  dns-resolver: { config: { server: [192.168.126.53, 192.168.126.1] } }
`;

const withoutGateway = `hostname: site1.example.com
network:
  interfaces: [{ name: enp1s0, ipv4: { enabled: true, address: [{ ip: 192.168.126.20, prefix-length: 24 }] } }]
  dns-resolver: { config: { server: [192.168.126.1, 192.168.126.2, 192.168.126.1] } }
`;
const bothWithoutGateway = `hostname: node.other.example.org
network:
  interfaces:
    - { name: enp1s0, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true, address: [{ ip: 'fd2e:6f44:5dd8::20', prefix-length: 64 }] } }
  dns-resolver: { config: { server: [192.168.126.10, 'FD2E:6F44:5DD8:0::1'] } }
`;

/** Sites whose machines and networks libvirt accepts. */
export const sites = [
  { name: 'the example', folder: 'examples/libvirt' },
  { name: 'DHCP', install: minimalInstallConfig },
  { name: 'both families', install: bothFamilies },
  { name: 'arm64', install: arm },
  { name: 'hints', install: hints, sno: everyHint },
  { name: 'a bond', install: minimalInstallConfig, sno: everyCard },
  {
    name: 'a name server that is the host, without gateway',
    install: minimalInstallConfig,
    sno: withoutGateway,
  },
  { name: 'both families without gateway', install: bothFamilies, sno: bothWithoutGateway },
  { name: 'a bridge', install: minimalInstallConfig, bridge: true },
] as const;

/** Writes the machine and the network of a site. */
export async function renderedSite(
  site: (typeof sites)[number],
  folder: string,
): Promise<{ readonly files: readonly string[]; readonly machine: string }> {
  const dir = join(folder, 'site');
  if ('folder' in site) cpSync(site.folder, dir, { recursive: true });
  else {
    mkdirSync(dir);
    writeFileSync(join(dir, 'install-config.yaml'), site.install);
    if ('sno' in site) writeFileSync(join(dir, 'sno-config.yaml'), snoConfigText(site.sno));
  }
  const bridge = 'bridge' in site ? ['--bridge', 'br0'] : [];
  const arguments_ = ['render', 'libvirt', 'site', '--out', 'machine', ...bridge, '-o', 'json'];
  const { stdout } = await snoInProcess(arguments_, { cwd: folder });
  return JSON.parse(stdout) as { files: readonly string[]; machine: string };
}
