import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { snoInProcess } from '../../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

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

const sites = [
  { name: 'the example', folder: 'examples/libvirt' },
  { name: 'DHCP', install: minimalInstallConfig },
  { name: 'both families', install: bothFamilies },
  { name: 'arm64', install: arm },
  { name: 'hints', install: hints, sno: everyHint },
  { name: 'a bond', install: minimalInstallConfig, sno: everyCard },
  { name: 'a bridge', install: minimalInstallConfig, bridge: true },
] as const;

describeWith(['virsh', 'virt-xml-validate', 'xmllint'], 'libvirt', () => {
  test.each(sites)('accepts the machine and the network of $name', async (site) => {
    const folder = scratchFolder();
    const dir = join(folder, 'site');
    if ('folder' in site) cpSync(site.folder, dir, { recursive: true });
    else {
      mkdirSync(dir);
      writeFileSync(join(dir, 'install-config.yaml'), site.install);
      if ('sno' in site) writeFileSync(join(dir, 'sno-config.yaml'), snoConfigText(site.sno));
    }
    const bridge = 'bridge' in site ? ['--bridge', 'br0'] : [];
    const made = await snoInProcess(
      ['render', 'libvirt', 'site', '--out', 'machine', ...bridge, '-o', 'json'],
      {
        cwd: folder,
      },
    );
    const { files, machine } = JSON.parse(made.stdout) as { files: readonly string[]; machine: string };
    const schemas = files
      .filter((name) => name.endsWith('.xml'))
      .map((name) => [`machine/${name}`, name.slice(0, -4)]);
    for (const [file = '', schema = ''] of schemas) {
      const { status, stdout, stderr } = spawnSync('virt-xml-validate', [file, schema], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: `${file} validates\n` });
    }
    const network = bridge.length > 0 ? [] : [`net-define machine/network.xml`, `net-start ${machine}`];
    // The driver keeps its objects in memory.
    const commands = [...network, 'define machine/domain.xml', `start ${machine}`].join('; ');
    const { status, stderr } = spawnSync(
      pathOfProgram('virsh') ?? 'virsh',
      ['--connect', 'test:///default', commands],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
