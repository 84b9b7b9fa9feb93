import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { readTree } from '../support/read-tree.js';
import { scratchFolder } from '../support/scratch.js';

/** A directory with these settings. */
function directory(settings: string, install = minimalInstallConfig): string {
  const dir = scratchFolder();
  mkdirSync(join(dir, 'site1'));
  writeFileSync(join(dir, 'site1/install-config.yaml'), install);
  writeFileSync(join(dir, 'site1/sno-config.yaml'), snoConfigText(settings));
  return dir;
}

const render = ['render', 'libvirt', 'site1', '--out', 'machine'];

const performanceProfile = `apiVersion: performance.openshift.io/v2
kind: PerformanceProfile
metadata: { name: sno }
spec:
  cpu: { reserved: '0-1,32-33', isolated: '2-31,34-63' }
  hugepages: { defaultHugepagesSize: 1G, pages: [{ size: 1G, count: 32 }, { size: 2M, count: 16, node: 1 }] }
  nodeSelector: { node-role.kubernetes.io/master: '' }
`;

const machineConfig = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: { name: disks, labels: { machineconfiguration.openshift.io/role: master } }
spec:
  config:
    ignition: { version: 3.2.0 }
    storage:
      disks:
        - { device: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4, partitions: [{ label: data, startMiB: 60000 }] }
        - { device: /dev/nvme1n1, wipeTable: true, partitions: [{ label: more }] }
`;

/** The first line of each problem. */
function problemLines(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => /^(?:error|warning)\[/.test(line));
}

describe('render libvirt', () => {
  test('writes the machine of the example, and replaces it by the same', async () => {
    const dir = scratchFolder();
    cpSync('examples/libvirt', join(dir, 'site1'), { recursive: true });
    const example = readTree('examples/libvirt/machine');
    for (const run of [1, 2]) {
      const { code, stderr } = await snoInProcess(render, { cwd: dir });
      expect({ run, code, stderr }).toEqual({ run, code: 0, stderr: '' });
      expect(readTree(join(dir, 'machine'))).toEqual(example);
    }
  });

  test('connects every network card to a bridge of the host', async () => {
    const dir = directory(
      'network: { interfaces: [{ name: enp1s0, ipv4: { enabled: true, dhcp: true } }, { name: enp1s0.7, type: vlan, vlan: { base-iface: enp1s0, id: 7 }, ipv4: { enabled: true, address: [{ ip: 192.168.126.9, prefix-length: 24 }] } }] }\n',
    );
    const refused = await snoInProcess(render, { cwd: dir });
    expect([refused.code, ...problemLines(refused.stderr)]).toEqual([
      1,
      'error[libvirt/vlan]: enp1s0.7 uses a VLAN, and a network of libvirt has none',
      'warning[libvirt/lease]: enp1s0 uses DHCP, and the network of libvirt has no lease',
    ]);
    const { code, stdout } = await snoInProcess([...render, '--bridge', 'br0', '-o', 'json'], { cwd: dir });
    const tree = readTree(join(dir, 'machine'));
    expect([code, JSON.parse(stdout), Object.keys(tree)]).toEqual([
      0,
      expect.objectContaining({ ok: true, files: ['index.txt', 'domain.xml'], addresses: [] }),
      ['domain.xml', 'index.txt'],
    ]);
    expect(tree['domain.xml']).toContain("<interface type='bridge'>\n      <mac address='52:54:00:");
    expect(tree['domain.xml']).toContain("<source bridge='br0'/>");
  });

  test.each([
    ['', 'node.site1.example.com', "name='node' "],
    ['hostname: node-1', 'node-1.site1.example.com', "name='node-1' "],
    ['hostname: node-1.site1.example.com', 'node-1.site1.example.com', "name='node-1' "],
    ['hostname: site1.example.com', 'site1.example.com', ''],
    ['hostname: site1.other.example.org', 'site1.other.example.org', ''],
  ])('resolves the name of a node with "%s"', async (settings, name, leased) => {
    const dir = directory(`${settings}\n`);
    expect((await snoInProcess(render, { cwd: dir })).code).toBe(0);
    const { 'network.xml': network = '' } = readTree(join(dir, 'machine'));
    expect(network.match(/<hostname>.*|<host mac.*/g)).toEqual([
      `<hostname>${name}</hostname>`,
      '<hostname>api.site1.example.com</hostname>',
      '<hostname>api-int.site1.example.com</hostname>',
      expect.stringMatching(new RegExp(`^<host mac='[^']*' ${leased}ip='192.168.126.10'/>$`)),
    ]);
  });

  test('has the CPUs and the memory that manifests of the node need', async () => {
    const dir = directory('');
    mkdirSync(join(dir, 'site1/post-install'));
    writeFileSync(join(dir, 'site1/post-install/profile.yaml'), performanceProfile);
    expect((await snoInProcess(render, { cwd: dir })).code).toBe(0);
    const { 'domain.xml': domain = '' } = readTree(join(dir, 'machine'));
    expect(domain.match(/<(?:memory|vcpu).*/g)).toEqual([
      "<memory unit='GiB'>57</memory>",
      '<vcpu>64</vcpu>',
    ]);
  });

  test('reports disks of a MachineConfig that the machine does not have', async () => {
    const dir = directory('extraManifests: [disks.yaml]\n');
    writeFileSync(join(dir, 'site1/disks.yaml'), machineConfig);
    const { code, stderr } = await snoInProcess(render, { cwd: dir });
    expect([code, ...problemLines(stderr)]).toEqual([
      1,
      'error[libvirt/disk]: MachineConfig disks partitions "/dev/nvme1n1", and the virtual machine has only the installation disk',
    ]);
  });

  test('has hints for the disk that validate accepts', async () => {
    const dir = directory(
      '',
      minimalInstallConfig.replace('by-id/wwn-0x5000c500a1b2c3d4', 'by-path/pci-0000:00:17.0-ata-1'),
    );
    const { stderr } = await snoInProcess(render, { cwd: dir });
    const [, disk = ''] = /= hint: use (installationDisk: \S+)/.exec(stderr) ?? [];
    const config = minimalInstallConfig.replace(/installationDisk: .*/, disk);
    writeFileSync(join(dir, 'site1/install-config.yaml'), config);
    const runs = [['validate', 'site1'], render];
    for (const run of runs) {
      const { code, stderr } = await snoInProcess(run, { cwd: dir });
      expect({ run, code, stderr }).toEqual({ run, code: 0, stderr: '' });
    }
    expect(readTree(join(dir, 'machine'))['domain.xml']).toContain('<serial>disk1</serial>');
  });

  test('reports the settings of both files that no virtual machine has, and writes nothing', async () => {
    const dir = directory(
      'network: { interfaces: [{ name: ens1f0, ipv4: { enabled: true, dhcp: true }, ethernet: { sr-iov: { total-vfs: 2 } } }], keyfiles: [a.nmconnection] }\n',
      minimalInstallConfig
        .replace('by-id/wwn-0x5000c500a1b2c3d4', 'by-path/pci-0000:00:17.0-ata-1')
        .replace('  replicas: 1\n', '  replicas: 1\n  architecture: s390x\n')
        .replace('    replicas: 0\n', '    replicas: 0\n    architecture: s390x\n'),
    );
    writeFileSync(join(dir, 'site1/a.nmconnection'), '[connection]\nid=a\ntype=ethernet\ninterface-name=a\n');
    const { code, stderr } = await snoInProcess(render, { cwd: dir });
    expect([code, ...problemLines(stderr).filter((line) => line.includes('[libvirt/'))]).toEqual([
      1,
      'error[libvirt/architecture]: virtual machines with the architecture s390x are not supported',
      'error[libvirt/disk]: bootstrapInPlace.installationDisk "/dev/disk/by-path/pci-0000:00:17.0-ata-1" depends on the slots of the machine',
      'error[libvirt/keyfiles]: the network cards of a virtual machine cannot be derived from network.keyfiles',
      'error[libvirt/interface-name]: no network card of a virtual machine gets the name ens1f0',
      'error[libvirt/sr-iov]: the virtual network card of ens1f0 has no virtual functions',
    ]);
    expect(readTree(dir)['machine/index.txt']).toBeUndefined();
  });

  test.each([
    {
      name: 'no ISO',
      isos: [],
      want: ['sno-install create iso site1 --iso LIVE.iso', 'sudo cp site1/single-node.iso'],
    },
    {
      name: 'the ISO of the directory',
      isos: ['site1.iso', 'site1/single-node.iso'],
      want: ['sudo cp site1/single-node.iso'],
    },
    { name: 'an ISO in the working directory', isos: ['site1.iso'], want: ['sudo cp site1.iso'] },
  ])('prints the next commands with $name', async ({ isos, want }) => {
    const dir = directory('');
    for (const iso of isos) writeFileSync(join(dir, iso), '');
    const { stdout } = await snoInProcess(render, { cwd: dir });
    const [next = '', ...copied] = want.toReversed();
    expect(stdout.split('\n').filter((line) => /^Wrote|^ {2}s/.test(line))).toEqual([
      'Wrote machine/domain.xml, machine/network.xml and machine/index.txt.',
      ...copied.map((line) => `  ${line}`),
      `  ${next} /var/lib/libvirt/images/site1.iso`,
      '  sudo qemu-img create -f qcow2 /var/lib/libvirt/images/site1.qcow2 120G',
      "  sudo virsh 'net-define machine/network.xml; net-start site1; define machine/domain.xml; start site1'",
    ]);
  });

  test.each([
    ['--bridge', 'no bridge', 'usage/unknown-argument'],
    ['--bridge', '..', 'usage/unknown-argument'],
    ['--out', 'site1', 'review/not-a-tree'],
    ['--out', '', 'review/not-a-tree'],
    ['--out', 'site1/install-config.yaml/machine', 'dir/not-writable'],
  ])('rejects %s %s', async (option, value, code) => {
    const dir = directory('');
    const result = await snoInProcess([...render, option, value, '-o', 'json'], { cwd: dir });
    const { problems } = JSON.parse(result.stdout) as {
      readonly problems: readonly { code: string; hint?: string }[];
    };
    expect([result.code === 0, problems.map((found) => [found.code, found.hint !== undefined])]).toEqual([
      false,
      [[code, true]],
    ]);
  });
});
