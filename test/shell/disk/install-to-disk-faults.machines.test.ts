import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { clusterUuid, machineClock } from './machine-files.js';
import { type Machine } from './machine.js';
import { script, home, coreosInstaller, bootstrapped, showDisk } from './bootstrapped.js';

describeWith(['bash', 'jq'], 'a check that fails leaves the disk untouched', () => {
  test.each<{ name: string; given: (machine: Machine) => void; want: string }>([
    {
      name: 'host name',
      given: (machine) => {
        machine.answer('hostname', 'localhost\n');
      },
      want: `the host name is 'localhost': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS
the host name and address are 'localhost 192.168.126.10', but were 'sno1 192.168.126.10' when the snapshot of etcd was taken`,
    },
    {
      name: 'the name of another machine',
      given: (machine) => {
        machine.answer('hostname', 'sno2\n');
      },
      want: "the host name and address are 'sno2 192.168.126.10', but were 'sno1 192.168.126.10' when the snapshot of etcd was taken",
    },
    {
      name: 'the clock before the certificates',
      given: (machine) => {
        machine.answer('../clock', `${machineClock - 7200}\n`);
      },
      want: 'the clock is at 2026-01-02 01:04:05 UTC, but the certificates are not valid before 2026-01-02 02:04:05 UTC',
    },
    {
      name: 'the clock after the certificates',
      given: (machine) => {
        machine.answer('../clock', `${machineClock + 900_000}\n`);
      },
      want: 'the clock is at 2026-01-12 13:04:05 UTC, but the certificates expired at 2026-01-12 03:04:05 UTC: create a new Ignition config',
    },
    {
      name: 'memory',
      given: (machine) => {
        machine.answer('meminfo', 'MemTotal:       8388608 kB\n');
      },
      want: 'the machine has 8192 MiB of memory; the installation needs 15000 MiB',
    },
    {
      name: 'no address in the machine network',
      given: (machine) => {
        machine.answer('ip-address-show-scope-global-to-192.168.126.0_24', '');
      },
      want: `no network interface has an IPv4 address in machineNetwork (192.168.126.0/24)
the host name and address are 'sno1 ', but were 'sno1 192.168.126.10' when the snapshot of etcd was taken`,
    },
    {
      name: 'api-int of another machine',
      given: (machine) => {
        machine.answer('getent-api-int.sno.example.com', '192.168.126.99 STREAM\n');
      },
      want: "the name api-int.sno.example.com resolves to 192.168.126.99, which is not this machine's address 192.168.126.10; behind a load balancer or NAT, set dns.apiCheck",
    },
    {
      name: 'api-int that does not resolve',
      given: (machine) => {
        machine.answer('getent-api-int.sno.example.com', '');
      },
      want: 'the name api-int.sno.example.com does not resolve',
    },
    {
      name: 'an Ignition config of another machine',
      given: (machine) => {
        machine.write(`${home}/master.ign`, '{"ignition":{"version":"3.1.0"}}');
      },
      want: "the node's Ignition config cannot be used: it does not hold the config of the master",
    },
    {
      name: 'no Ignition config',
      given: (machine) => {
        machine.write(`${home}/master.ign`, '');
      },
      want: '/opt/openshift/master.ign is missing',
    },
  ])('$name', ({ given, want }) => {
    const machine = bootstrapped();
    given(machine);
    expect(machine.run(script).status).toBe(1);
    const said = machine.console().replaceAll(machine.root, '');
    expect(said).toBe(`The installation stopped before it touched the disk:\n${want}\n`);
    expect(machine.calls('coreos-installer')).toEqual([]);
    expect(machine.stages('install-to-disk').at(-1)).toBe('preflight failure');
  });

  test.each([
    { check: 'Reachable', address: '192.0.2.7 STREAM\n' },
    { check: 'None', address: '' },
  ])('dns.apiCheck $check: api-int may have another address', ({ check, address }) => {
    const machine = bootstrapped();
    const env = 'opt/openshift/sno-install.env';
    machine.write(env, `${machine.read(env)}SNO_API_CHECK=${check}\n`);
    machine.answer('getent-api-int.sno.example.com', address);
    expect(machine.run(script).status).toBe(0);
  });

  test('ignores a second address that appears before the disk is written', () => {
    const machine = bootstrapped();
    machine.answer(
      'ip-address-show-scope-global-to-192.168.126.0_24',
      ['3', '10'].map((host) => `2: eth0    inet 192.168.126.${host}/24 scope global eth0\n`).join(''),
    );
    machine.write('opt/openshift/node-address', '192.168.126.10');
    expect(machine.run(script).status).toBe(0);
  });

  test('reports all findings together, and continues when they are fixed', () => {
    const machine = bootstrapped();
    showDisk(machine, { size: 20_000_000_000 });
    machine.answer('getent-api-int.sno.example.com', '');
    expect(machine.run(script).status).toBe(1);
    expect(machine.console()).toBe(`The installation stopped before it touched the disk:
the installation disk /dev/disk/by-id/test has 20 GB; the cluster needs 100 GB
the name api-int.sno.example.com does not resolve
`);
    showDisk(machine, {});
    machine.answer('getent-api-int.sno.example.com', '192.168.126.10 STREAM\n');
    expect(machine.run(script).status).toBe(0);
    expect(machine.console()).toBe('');
  });
});

const part = { name: '/dev/sda1', type: 'part', size: 1_000_000_000, ro: false, mountpoint: null };

const disk = '/dev/disk/by-id/test';

describeWith(['bash', 'jq'], 'the installation disk', () => {
  test.each<{ name: string; given: object; want: string; disk?: string; medium?: string }>([
    { name: 'idle', given: {}, want: '' },
    { name: 'with the partitions of another system', given: { children: [part] }, want: '' },
    { name: 'multipath', given: { type: 'mpath' }, want: '' },
    { name: 'as shown by older versions of lsblk', given: { size: '480103981056', ro: '0' }, want: '' },
    {
      name: 'missing',
      given: {},
      disk: '/dev/disk/by-id/other',
      want: 'the installation disk /dev/disk/by-id/other does not exist; this machine has: /dev/sda (447G)',
    },
    {
      name: 'no path below /dev',
      given: {},
      disk: 'sda',
      want: "the installation disk must be one path below /dev, not 'sda'",
    },
    {
      name: 'two words',
      given: {},
      disk: '/dev/sda --save-partindex 1',
      want: "the installation disk must be one path below /dev, not '/dev/sda --save-partindex 1'",
    },
    {
      name: 'a partition',
      given: { ...part },
      want: `the installation disk ${disk} is not a whole disk (its type is part)`,
    },
    {
      name: 'a DVD',
      given: { type: 'rom' },
      want: `the installation disk ${disk} is not a whole disk (its type is rom)`,
    },
    { name: 'read-only', given: { ro: true }, want: `the installation disk ${disk} is read-only` },
    {
      name: 'read-only, older lsblk',
      given: { ro: '1' },
      want: `the installation disk ${disk} is read-only`,
    },
    {
      name: 'too small',
      given: { size: 99_999_999_999 },
      want: `the installation disk ${disk} has 99 GB; the cluster needs 100 GB`,
    },
    {
      name: 'the live medium',
      given: { children: [{ ...part, mountpoint: '/run/media/iso' }] },
      medium: '/dev/sda1\n',
      want: `the installation disk ${disk} is the medium that this system was booted from`,
    },
    {
      name: 'mounted',
      given: { children: [part, { ...part, name: '/dev/sda2', mountpoint: '/var/data' }] },
      want: `the installation disk ${disk} is in use: /dev/sda2 is mounted at /var/data`,
    },
    {
      name: 'swap',
      given: { children: [{ ...part, mountpoint: '[SWAP]' }] },
      want: `the installation disk ${disk} is in use: /dev/sda1 is mounted at [SWAP]`,
    },
    {
      name: 'held by LVM and RAID',
      given: {
        children: [
          { ...part, children: [{ name: '/dev/mapper/vg-root', type: 'lvm', mountpoint: null }] },
          { name: '/dev/md127', type: 'raid1', mountpoint: null },
        ],
      },
      want: `the installation disk ${disk} is in use: /dev/mapper/vg-root (lvm) is active on it, /dev/md127 (raid1) is active on it`,
    },
    {
      name: 'a path of a multipath device',
      given: { children: [{ name: '/dev/mapper/mpatha', type: 'mpath', mountpoint: null }] },
      want: `the installation disk ${disk} is in use: /dev/mapper/mpatha (mpath) is active on it`,
    },
    {
      name: 'installed with this cluster',
      given: { ptuuid: clusterUuid.toUpperCase() },
      want: `the installation disk ${disk} holds an installation of this cluster: put it before this medium in the boot order, or run 'sudo touch /opt/openshift/reinstall-allowed' to overwrite it`,
    },
  ])('$name', ({ given, want, disk: path = disk, medium = '' }) => {
    const machine = bootstrapped();
    showDisk(machine, given);
    machine.answer('findmnt', medium);
    const { status, stdout } = machine.source('sno-preflight-disk.sh', 'check_disk "${DISK}"', {
      DISK: path,
    });
    expect({ status, said: stdout.trimEnd() }).toEqual({ status: want === '' ? 0 : 1, said: want });
  });

  test('no block device', () => {
    const machine = bootstrapped();
    machine.fail('lsblk', 'always');
    machine.answer('lsblk.json', '');
    const { stdout } = machine.source('sno-preflight-disk.sh', `check_disk ${disk} || true`);
    expect(stdout).toBe(`the installation disk ${disk} is not a block device\n`);
  });

  test('installed with this cluster, and may be destroyed', () => {
    const machine = bootstrapped();
    showDisk(machine, { ptuuid: clusterUuid });
    machine.write(`${home}/reinstall-allowed`, '');
    expect(machine.source('sno-preflight-disk.sh', `check_disk ${disk}`)).toMatchObject({
      status: 0,
      stdout: '',
    });
  });

  test.each(['SameCluster', 'Always'])('installed with this cluster, and reinstall is %s', (reinstall) => {
    const machine = bootstrapped({ SNO_REINSTALL: reinstall });
    showDisk(machine, { ptuuid: clusterUuid });
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([coreosInstaller]);
  });

  const busy = {
    children: [
      { ...part, mountpoint: '[SWAP]' },
      {
        ...part,
        name: '/dev/sda2',
        children: [{ name: '/dev/mapper/vg-root', type: 'lvm', mountpoint: '/mnt' }],
      },
      { ...part, name: '/dev/sda3', children: [{ name: '/dev/md127', type: 'raid1', mountpoint: null }] },
    ],
  };
  /** The calls that deactivate the active devices. */
  const isRemoved = (machine: Machine) =>
    ['swapoff', 'umount', 'dmsetup', 'mdadm'].map((name) => [name, ...machine.calls(name)].join(' '));

  test('deactivates a disk in use with reinstall: Always, and rejects a disk that remains in use', () => {
    const machine = bootstrapped({ SNO_REINSTALL: 'Always' });
    showDisk(machine, busy);
    expect(machine.run(script).status).toBe(1);
    expect(isRemoved(machine)).toEqual([
      'swapoff /dev/sda1',
      'umount /dev/mapper/vg-root',
      'dmsetup remove --retry /dev/mapper/vg-root',
      'mdadm --stop /dev/md127',
    ]);
    expect(machine.console()).toContain(`the installation disk ${disk} is in use: `);
    expect(machine.calls('coreos-installer')).toEqual([]);
  });

  test.each([
    { name: 'in use, and reinstall is SameCluster', reinstall: 'SameCluster', change: {} },
    { name: 'the live medium, and reinstall is Always', reinstall: 'Always', change: { name: '/dev/sr0' } },
  ])('deactivates no devices: $name', ({ reinstall, change }) => {
    const machine = bootstrapped({ SNO_REINSTALL: reinstall });
    showDisk(machine, { ...busy, ...change });
    machine.answer('findmnt', '/dev/sr0\n');
    expect(machine.run(script).status).toBe(1);
    expect(isRemoved(machine)).toEqual(['swapoff', 'umount', 'dmsetup', 'mdadm']);
  });

  test('respects a limit of the user', () => {
    const machine = bootstrapped();
    showDisk(machine, { size: 60_000_000_000 });
    const { stdout } = machine.source('sno-preflight-disk.sh', `check_disk ${disk}`, {
      SNO_MINIMUM_DISK_GB: '50',
    });
    expect(stdout).toBe('');
  });
});
