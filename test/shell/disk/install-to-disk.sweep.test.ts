import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { sweep } from '../../support/sweep.js';

import { clusterUuid, idleDisk, machineClock, masterConfig } from './machine-files.js';
import { liveMachine, type Machine } from './machine.js';

const script = 'install-to-disk.sh';
const home = 'opt/openshift';
const coreosInstaller =
  'install --copy-network --ignition-file /opt/openshift/master.ign -- /dev/disk/by-id/test';

/** A machine in the live system as bootkube.sh leaves it at its end. */
function bootstrapped(variables: Readonly<Record<string, string>> = {}): Machine {
  const machine = liveMachine({ variables });
  const storage = { directories: [{ path: '/var/lib/etcd', mode: 448 }], files: [{ path: '/a', mode: 384 }] };
  const systemd = { units: [{ name: 'bootkube.service' }] };
  const config = { merge: [{ source: 'data:,x' }] };
  machine.write(`${home}/original-master.ign`, JSON.stringify(masterConfig));
  machine.write(
    `${home}/bootstrap-in-place/master-update.complete.fcc`,
    JSON.stringify({ variant: 'fcos', storage, systemd }),
  );
  machine.write(
    `${home}/master.ign`,
    JSON.stringify({ ignition: { version: '3.1.0', config }, storage, systemd }),
  );
  machine.write(
    `${home}/etcd-snapshot/snapshot.json`,
    JSON.stringify({ clusterID: clusterUuid, node: { hostname: 'sno1', address: '192.168.126.10' } }),
  );
  machine.write(`${home}/.bootkube.done`, '');
  return machine;
}

function showDisk(machine: Machine, change: object): void {
  machine.answer('lsblk.json', JSON.stringify({ blockdevices: [{ ...idleDisk, ...change }] }));
}

describeWith(['bash', 'jq'], 'install-to-disk.sh', () => {
  test('writes the disk, marks it as this cluster, and reboots in a minute', () => {
    const machine = bootstrapped();
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([coreosInstaller]);
    expect(machine.calls('sgdisk')).toEqual([
      `--disk-guid=${clusterUuid} --move-second-header /dev/sda`,
      '--print /dev/sda',
    ]);
    expect(machine.calls('shutdown')).toEqual(['-r +1 the cluster continues from the disk']);
    expect(machine.has(`${home}/coreos-installer.done`)).toBe(true);
    expect(machine.has(`${home}/.install-to-disk.done`)).toBe(true);
    expect(machine.console()).toBe('');
    expect(machine.stages('install-to-disk')).toEqual([
      'wait-for-bootkube success',
      'preflight success',
      'coreos-installer success',
      'mark-disk success',
      'reboot success',
    ]);
  });

  test('waits six hours for bootkube, then says so, and is not done', () => {
    const waiting = liveMachine();
    expect(waiting.run(script).status).toBe(1);
    expect(waiting.console()).toBe(
      'The bootstrap is taking more than six hours: see journalctl -u bootkube.\n',
    );
    expect(waiting.stages('install-to-disk')).toEqual(['wait-for-bootkube failure']);
    expect(waiting.calls('coreos-installer')).toEqual([]);
  });

  test('a disk that could not be written is tried again, after the checks', () => {
    const machine = bootstrapped();
    machine.fail('coreos-installer', 1);
    expect(machine.run(script).status).toBe(1);
    expect(machine.console()).toBe(
      'coreos-installer could not write /dev/disk/by-id/test: see journalctl -u install-to-disk. It is tried again.\n',
    );
    expect(machine.calls('shutdown')).toEqual([]);
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([coreosInstaller, coreosInstaller]);
    expect(machine.console()).toBe('');
  });

  test.each(sweep(['sgdisk', 'shutdown'], 1))(
    'a kill at %s: the next start does not write the disk again',
    (name) => {
      const machine = bootstrapped();
      machine.killAt(name);
      expect(machine.run(script).signal).toBe('SIGKILL');
      showDisk(machine, { ptuuid: clusterUuid });
      expect(machine.run(script).status).toBe(0);
      expect(machine.calls('coreos-installer')).toEqual([coreosInstaller]);
      expect(machine.calls('shutdown').length).toBeGreaterThan(0);
    },
  );

  test.each(
    sweep<{ name: string; given: (machine: Machine) => void }>(
      [
        {
          name: 'whose table the kernel does not read',
          given: (machine) => {
            machine.answer('lsblk-pttype', '\n');
          },
        },
        {
          name: 'that sgdisk cannot write',
          given: (machine) => {
            machine.fail('sgdisk', 'always');
          },
        },
        {
          name: 'that gives another id back',
          given: (machine) => {
            machine.answer('sgdisk', 'Disk identifier (GUID): 11111111-2222-3333-4444-555555555555\n');
          },
        },
      ],
      1,
    ),
  )('a disk $name is not rebooted into unmarked, and the console says so', ({ given }) => {
    const machine = bootstrapped();
    given(machine);
    const { status, stderr } = machine.run(script);
    expect([status, machine.calls('shutdown')]).toEqual([1, []]);
    expect(stderr).toContain(
      'timed out after 120 s waiting for the disk /dev/sda to take the id of the cluster\n',
    );
    expect(stderr).toContain('the disk /dev/disk/by-id/test does not take the id of the cluster\n');
    expect(machine.console()).toContain(
      'the disk does not take the id of the cluster, which keeps it from being installed',
    );
    expect(machine.has(`${home}/.install-to-disk.done`)).toBe(false);
  });

  test('a disk that sgdisk gets only after a while is marked', () => {
    const machine = bootstrapped();
    machine.fail('sgdisk', 1);
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('sgdisk')).toHaveLength(3);
    expect(machine.console()).toBe('');
  });

  test('a DASD, which has no such id, stays unmarked, and the log says so', () => {
    const machine = bootstrapped({ SNO_INSTALLATION_DISK: '/dev/dasda' });
    machine.write('dev/dasda', '');
    showDisk(machine, { name: '/dev/dasda' });
    const { status, stderr } = machine.run(script);
    expect(status).toBe(0);
    expect(stderr).toContain('a DASD has no id of its own: a second installation will not be noticed\n');
    expect(machine.calls('sgdisk')).toEqual([]);
  });
});

describeWith(['bash', 'jq'], 'a check that fails leaves the disk untouched', () => {
  test.each(
    sweep<{ name: string; given: (machine: Machine) => void; want: string }>(
      [
        {
          name: 'host name',
          given: (machine) => {
            machine.answer('hostname', 'localhost\n');
          },
          want: `the host name is 'localhost': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS
the host name and address are 'localhost 192.168.126.10', but were 'sno1 192.168.126.10' when the snapshot of etcd was taken`,
        },
        {
          name: 'a name of another machine',
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
          want: 'the clock says 2026-01-02 01:04:05 UTC, before 2026-01-02 02:04:05 UTC, when the certificates begin',
        },
        {
          name: 'the clock after the certificates',
          given: (machine) => {
            machine.answer('../clock', `${machineClock + 900_000}\n`);
          },
          want: 'the clock says 2026-01-12 13:04:05 UTC, but the certificates ended 2026-01-12 03:04:05 UTC: make a new Ignition config',
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
          want: "the name api-int.sno.example.com resolves to 192.168.126.99, which is not this machine's address 192.168.126.10",
        },
        {
          name: 'api-int that nobody knows',
          given: (machine) => {
            machine.answer('getent-api-int.sno.example.com', '');
          },
          want: 'the name api-int.sno.example.com does not resolve',
        },
        {
          name: 'an Ignition config that is not the one that was asked for',
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
      ],
      3,
    ),
  )('$name', ({ given, want }) => {
    const machine = bootstrapped();
    given(machine);
    expect(machine.run(script).status).toBe(1);
    const said = machine.console().replaceAll(machine.root, '');
    expect(said).toBe(`The installation stopped before it touched the disk:\n${want}\n`);
    expect(machine.calls('coreos-installer')).toEqual([]);
    expect(machine.stages('install-to-disk').at(-1)).toBe('preflight failure');
  });

  test('every finding at once; what is mended lets it go on', () => {
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
  test.each(
    sweep<{ name: string; given: object; want: string; disk?: string; medium?: string }>(
      [
        { name: 'idle', given: {}, want: '' },
        { name: 'with the partitions of another system', given: { children: [part] }, want: '' },
        { name: 'multipath', given: { type: 'mpath' }, want: '' },
        { name: 'as older versions of lsblk show it', given: { size: '480103981056', ro: '0' }, want: '' },
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
          want: `the installation disk ${disk} holds an installation of this very cluster: put it before this medium in the boot order, or run 'sudo touch /opt/openshift/reinstall-allowed' to destroy it and install anew`,
        },
      ],
      4,
    ),
  )('$name', ({ given, want, disk: path = disk, medium = '' }) => {
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

  test('installed with this cluster, and allowed to be destroyed', () => {
    const machine = bootstrapped();
    showDisk(machine, { ptuuid: clusterUuid });
    machine.write(`${home}/reinstall-allowed`, '');
    expect(machine.source('sno-preflight-disk.sh', `check_disk ${disk}`)).toMatchObject({
      status: 0,
      stdout: '',
    });
  });

  test.each(sweep(['SameCluster', 'Always'], 1))(
    'installed with this cluster, and reinstall is %s',
    (reinstall) => {
      const machine = bootstrapped({ SNO_REINSTALL: reinstall });
      showDisk(machine, { ptuuid: clusterUuid });
      expect(machine.run(script).status).toBe(0);
      expect(machine.calls('coreos-installer')).toEqual([coreosInstaller]);
    },
  );

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
  /** What was called to take down what is active. */
  const takenDown = (machine: Machine) =>
    ['swapoff', 'umount', 'dmsetup', 'mdadm'].map((name) => [name, ...machine.calls(name)].join(' '));

  test('in use, and reinstall is Always: what is active is taken down first, what stays is refused', () => {
    const machine = bootstrapped({ SNO_REINSTALL: 'Always' });
    showDisk(machine, busy);
    expect(machine.run(script).status).toBe(1);
    expect(takenDown(machine)).toEqual([
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
  ])('$name: nothing is taken down', ({ reinstall, change }) => {
    const machine = bootstrapped({ SNO_REINSTALL: reinstall });
    showDisk(machine, { ...busy, ...change });
    machine.answer('findmnt', '/dev/sr0\n');
    expect(machine.run(script).status).toBe(1);
    expect(takenDown(machine)).toEqual(['swapoff', 'umount', 'dmsetup', 'mdadm']);
  });

  test('a limit of the operator', () => {
    const machine = bootstrapped();
    showDisk(machine, { size: 60_000_000_000 });
    const { stdout } = machine.source('sno-preflight-disk.sh', `check_disk ${disk}`, {
      SNO_MINIMUM_DISK_GB: '50',
    });
    expect(stdout).toBe('');
  });
});
