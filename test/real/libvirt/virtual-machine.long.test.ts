import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describedKeyfiles } from '../../config/network/described.js';
import { sno } from '../../support/command.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { scaledMs } from '../../support/time-scale.js';
import { bootableIso, liveSystemFolder, liveSystemPrograms, slowArguments } from '../media/live-system.js';
import { consoleOf } from '../media/qemu.js';
import { renderedSite, sites } from './sites.js';

const network = `
interfaces:
  - name: eno1
    ipv4: { enabled: true, dhcp: false, address: [{ ip: 192.168.126.20, prefix-length: 24 }] }
  - { name: enp5s0, state: down }
  - { name: second, identifier: mac-address, mac-address: '52:54:00:00:00:02', state: down }
dns-resolver: { config: { server: [192.168.126.53] } }
routes:
  config:
    - { destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: eno1 }
`;

/** Prints the facts that a config depends on, and turns the machine off. */
const facts = `[Unit]
After=NetworkManager-wait-online.service
Wants=NetworkManager-wait-online.service
[Service]
Type=oneshot
ExecStart=/bin/bash -c '{ ls /dev/disk/by-id; ip -brief address; for name in api api-int any.apps; do getent hosts $$name.site1.example.com; done; getent hosts 192.168.126.20; } 2>&1 | sed "s/^/fact: /" >/dev/ttyS0'
ExecStopPost=/bin/systemctl poweroff
`;
const wants = '/etc/systemd/system/multi-user.target.wants';

describeWith([...liveSystemPrograms, 'libvirtd', 'virsh', 'dnsmasq'], 'a virtual machine in libvirt', () => {
  test(
    'has the disk, the interfaces and the names of the config',
    async () => {
      const folder = scratchFolder();
      const parts = await liveSystemFolder();
      writeFileSync(join(folder, 'install-config.yaml'), minimalInstallConfig);
      writeFileSync(
        join(folder, 'sno-config.yaml'),
        snoConfigText(`network:${network.replaceAll('\n', '\n  ')}\n`),
      );
      const { code, stdout } = sno(['render', 'libvirt', '--out', 'machine', '--images', '.'], {
        cwd: folder,
      });
      expect(code).toBe(0);
      const [, commands = ''] = /sudo virsh '(.*)'/.exec(stdout) ?? [];
      const domain = join(folder, 'machine/domain.xml');
      writeFileSync(domain, emulated(readFileSync(domain, 'utf8'), join(folder, 'console')));

      const config = {
        ignition: { version: '3.2.0' },
        systemd: { units: [{ name: 'facts.service', contents: facts }] },
        // The root of this live system is no first boot, which would enable the unit.
        storage: {
          links: [{ path: `${wants}/facts.service`, target: '/etc/systemd/system/facts.service' }],
        },
      };
      const held: Record<string, string> = { 'config.ign': JSON.stringify(config) };
      for (const [name, text] of Object.entries(describedKeyfiles(network)))
        held[`etc/coreos-firstboot-network/${name}`] = text;
      bootableIso(parts, folder, { held, more: ['console=ttyS0', ...slowArguments] });
      renameSync(join(folder, 'live.iso'), join(folder, 'site1.iso'));
      spawnSync('qemu-img', ['create', '-f', 'qcow2', join(folder, 'site1.qcow2'), '120G']);

      const run = withLibvirt([join(scripts, 'run-machine'), commands, 'site1'], folder, 15 * 60_000);
      expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
      const console = consoleOf(join(folder, 'console'));
      const found = console.split('\n').flatMap((line) => (line.startsWith('fact: ') ? [line.slice(6)] : []));
      expect(found.map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
        'scsi-0QEMU_QEMU_CD-ROM_drive-scsi0-0-0-1',
        'scsi-35000c500a1b2c3d4',
        'wwn-0x5000c500a1b2c3d4',
        'lo UNKNOWN 127.0.0.1/8 ::1/128',
        'eno1 UP 192.168.126.20/24',
        'enp2s0 UP',
        'enp5s0 UP',
        '192.168.126.20 api.site1.example.com',
        '192.168.126.20 api-int.site1.example.com',
        '192.168.126.20 any.apps.site1.example.com',
        '192.168.126.20 node.site1.example.com',
      ]);
    },
    scaledMs(20 * 60_000),
  );
});

describeWith(['libvirtd', 'virsh', 'dnsmasq'], 'the network daemon of libvirt', () => {
  test.each(sites.filter((site) => !('bridge' in site)))('starts the network of $name', async (site) => {
    const folder = scratchFolder();
    const { machine } = await renderedSite(site, folder);
    const commands = `net-define machine/network.xml; net-start ${machine}`;
    const { status, stderr } = withLibvirt(['virsh', '--quiet', commands], folder, 60_000);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

const scripts = join(process.cwd(), 'test/real/libvirt');

/** Runs a command with its own libvirt daemon and network. */
function withLibvirt(
  command: readonly string[],
  folder: string,
  timeoutMs: number,
): SpawnSyncReturns<string> {
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  return spawnSync('unshare', [...namespaces, join(scripts, 'with-libvirt'), ...command], {
    cwd: folder,
    encoding: 'utf8',
    timeout: scaledMs(timeoutMs),
  });
}

/** The domain for a small machine without KVM, with its console in a file. The kernel of the live system has no driver for SATA. */
function emulated(domain: string, console: string): string {
  return domain
    .replace("type='kvm'", "type='qemu'")
    .replace("<cpu mode='host-passthrough'/>", '')
    .replace(/<memory .*<\/memory>/, "<memory unit='GiB'>2</memory>")
    .replace(/<vcpu>.*<\/vcpu>/, '<vcpu>1</vcpu>')
    .replace("bus='sata'", "bus='scsi'")
    .replace("<console type='pty'/>", `<serial type='file'><source path='${console}'/></serial>`);
}
