import { describe, expect, it } from 'vitest';

import { pathText } from '../../../src/formats/yaml/yaml-tree.js';
import { nodeFaults, type NodeFacts } from '../../../src/ignition/foreign/node-faults.js';

const bootDisk = '/dev/disk/by-id/wwn-1';

function found(config: unknown, facts: NodeFacts = { bootDisk }): readonly string[] {
  return nodeFaults(config, facts).map(({ kind, path, message }) => `${kind} ${pathText(path)}: ${message}`);
}

function files(...entries: readonly unknown[]): unknown {
  return { storage: { files: entries } };
}

function disk(partitions: readonly unknown[], device = bootDisk, rest: object = {}): unknown {
  return { storage: { disks: [{ device, partitions, ...rest }] } };
}

const keyfile = '/etc/NetworkManager/system-connections/eno1.nmconnection';
const ignored = 'NetworkManager ignores the profile, because others than root can read or write it';

describe('files', () => {
  it.each([
    { path: keyfile, mode: 0o600 },
    { path: keyfile, mode: 0o400, user: { name: 'root' } },
    { path: '/etc/NetworkManager/conf.d/a.conf', mode: 0o644 },
    { path: '/usr/local/bin/a', mode: 0o755 },
    { path: '/opt/a' },
    { path: '/var/a', mode: 420 },
    { path: '/usr/localx', mode: 0o644, expected: 'refused' },
  ])('%j', ({ expected, ...file }) => {
    expect(found(files(file))).toHaveLength(expected === undefined ? 0 : 1);
  });

  it.each([
    [{ path: keyfile, mode: 420 }, `unbootable storage.files[0].mode: ${ignored}`],
    [{ path: keyfile }, `unbootable storage.files[0].mode: ${ignored}`],
    [{ path: keyfile, mode: 0o600, user: { id: 1000 } }, `unbootable storage.files[0].user: ${ignored}`],
    [
      { path: '/var/a', mode: 400 },
      'useless storage.files[0].mode: mode 400 is a decimal number, which is octal 0620',
    ],
    [
      { path: '/usr/bin/a', mode: 0o755 },
      'unbootable storage.files[0].path: "/usr/bin/a" is on a read-only file system, so Ignition fails and the node does not boot',
    ],
    [
      { path: '/lib/systemd/system/a.service' },
      'unbootable storage.files[0].path: "/lib/systemd/system/a.service" is on a read-only file system, so Ignition fails and the node does not boot',
    ],
    [
      { path: '/run/a' },
      'useless storage.files[0].path: "/run/a" is gone when the node has booted: the file system is in memory',
    ],
    [
      { path: '/boot/grub2/user.cfg' },
      'useless storage.files[0].path: "/boot/grub2/user.cfg" lies under the boot partition, which Ignition does not mount: the node hides the file',
    ],
  ])('%j is odd', (file, want) => {
    expect(found(files(file))).toEqual([want]);
  });
});

it.each(['/boot', '/boot/efi'])('files on %s, which the config mounts', (path) => {
  const filesystems = [{ device: '/dev/disk/by-label/boot', format: 'ext4', path }];
  expect(found({ storage: { files: [{ path: `${path}/a` }], filesystems } })).toEqual([]);
});

describe('partitions', () => {
  const at = 'storage.disks[0].partitions[0]';

  it.each([
    {
      name: 'after 25,000 MiB of the boot disk',
      given: disk([{ label: 'var', startMiB: 25_000, sizeMiB: 0 }]),
    },
    { name: 'of another disk', given: disk([{ label: 'var' }], '/dev/disk/by-id/b', { wipeTable: true }) },
    {
      name: 'after a root of its own size',
      given: disk([{ number: 4, label: 'root', sizeMiB: 40_000, resize: true }, { label: 'var' }]),
    },
    { name: 'that is deleted', given: disk([{ label: 'old', shouldExist: false }]) },
    {
      name: 'side by side',
      given: disk([
        { startMiB: 30_000, sizeMiB: 10 },
        { startMiB: 30_010, sizeMiB: 10 },
      ]),
    },
  ])('$name', ({ given }) => {
    expect(found(given)).toEqual([]);
  });

  it.each([
    [
      [{ label: 'var', startMiB: 4096 }],
      `unbootable ${at}.startMiB: startMiB 4096 leaves root less than 8192 MiB, which has no room for the release`,
    ],
    [
      [{ label: 'var', startMiB: 8192 }],
      `useless ${at}.startMiB: startMiB 8192 leaves root less than the 25000 MiB that OpenShift requires`,
    ],
    [
      [{ label: 'var', startMiB: 24_999 }],
      `useless ${at}.startMiB: startMiB 24999 leaves root less than the 25000 MiB that OpenShift requires`,
    ],
    [
      [{ label: 'var' }],
      `unbootable ${at}.startMiB: without startMiB the partition starts directly after root, which then has no room for the release`,
    ],
    [
      [{ label: 'root', sizeMiB: 8000 }],
      `unbootable ${at}.sizeMiB: sizeMiB 8000 leaves root less than 8192 MiB, which has no room for the release`,
    ],
    [
      [{ number: 2, shouldExist: false }],
      `unbootable ${at}.shouldExist: the node boots from this partition, which the config deletes`,
    ],
    [
      [{ label: 'boot', wipePartitionEntry: true }],
      `unbootable ${at}.wipePartitionEntry: the node boots from this partition, which the config deletes`,
    ],
  ])('%j', (partitions, want) => {
    expect(found(disk(partitions))).toEqual([want]);
    expect(found(disk(partitions, '/dev/disk/by-id/coreos-boot-disk'), {})).toEqual([want]);
  });

  it('that the table of the boot disk is wiped of', () => {
    expect(found(disk([], bootDisk, { wipeTable: true }))).toEqual([
      'unbootable storage.disks[0].wipeTable: wipeTable deletes the partitions that the node boots from: the disk is the one it is installed on',
    ]);
  });

  /** Part of the output of butane for boot_device.mirror. */
  const mirror = (device: string, more: readonly object[] = []): Readonly<Record<string, unknown>> => ({
    storage: {
      disks: [
        {
          device,
          wipeTable: true,
          partitions: [
            { label: 'esp-1', sizeMiB: 127, typeGuid: 'C12A7328-F81F-11D2-BA4B-00A0C93EC93B' },
            { label: 'boot-1', sizeMiB: 384 },
            { label: 'root-1', sizeMiB: 9000 },
            { label: 'var-1' },
          ],
        },
      ],
      filesystems: [
        { device: '/dev/md/md-boot', format: 'ext4', label: 'boot', wipeFilesystem: true },
        ...more,
      ],
    },
  });
  const root = { device: '/dev/md/md-root', format: 'xfs', label: 'root', wipeFilesystem: true };
  const small =
    'useless storage.disks[0].partitions[2].sizeMiB: sizeMiB 9000 leaves root less than the 25000 MiB that OpenShift requires';

  it('that the table of the boot disk is wiped of, with root and boot created again', () => {
    expect(found(mirror(bootDisk, [root]))).toEqual([small]);
    expect(found(mirror(bootDisk))[0]).toContain('wipeTable deletes the partitions');
    expect(found(mirror(bootDisk, [{ ...root, wipeFilesystem: false }]))[0]).toContain('wipeTable deletes');
  });

  it('of other disks than the one of the installation', () => {
    const want =
      'useless storage.disks[0].device: the config moves root and boot to other disks than "/dev/disk/by-id/wwn-1", on which the node is installed';
    expect(found(mirror('/dev/disk/by-id/wwn-2', [root]))).toEqual([want]);
    // Another kind of name may be the same disk.
    expect(found(mirror('/dev/sda', [root]))).toEqual([]);
  });

  it('that overlap, on any disk', () => {
    const partitions = [{ startMiB: 1, sizeMiB: 100 }, { startMiB: 200 }, { startMiB: 50, sizeMiB: 10 }];
    expect(found(disk(partitions, '/dev/disk/by-id/b'))).toEqual([
      'unbootable storage.disks[0].partitions[2].startMiB: the partition overlaps storage.disks[0].partitions[0], so Ignition fails and the node does not boot',
    ]);
  });

  it.each([
    [{ filesystems: [{ device: bootDisk, format: 'xfs' }] }, 'storage.filesystems[0].device'],
    [{ luks: [{ name: 'a', device: bootDisk }] }, 'storage.luks[0].device'],
    [
      { raid: [{ name: 'a', level: 'raid1', devices: ['/dev/disk/by-id/b', bootDisk] }] },
      'storage.raid[0].devices',
    ],
  ])('under %j', (storage, path) => {
    expect(found({ storage })).toEqual([
      `unbootable ${path}: the node boots from this disk, and the config writes over its partitions`,
    ]);
  });
});

describe('file systems', () => {
  const filesystem = (path: string, rest: object = {}) => ({
    storage: { filesystems: [{ device: '/dev/disk/by-partlabel/a', path, format: 'xfs', ...rest }] },
  });
  const lost = (path: string, unit: string) =>
    `useless storage.filesystems[0].path: nothing mounts "${path}" after Ignition, because unit ${unit} is missing: its data is on the root disk`;

  it.each([
    ['/var/lib/etcd', 'var-lib-etcd.mount'],
    ['/var/', 'var.mount'],
    ['/var/lib/a-b', String.raw`var-lib-a\x2db.mount`],
  ])('%s without %s', (path, unit) => {
    expect(found(filesystem(path))).toEqual([lost(path, unit)]);
    const units = [{ name: unit, enabled: true, contents: '[Mount]\n' }];
    expect(found({ ...filesystem(path), systemd: { units } })).toEqual([]);
    expect(found(filesystem(path), { otherUnits: new Set([unit]) })).toEqual([]);
  });

  it('with a unit that is not enabled', () => {
    const units = [{ name: 'var-a.mount', contents: '[Mount]\n' }];
    expect(found({ ...filesystem('/var/a'), systemd: { units } })).toEqual([
      'useless storage.filesystems[0].path: nothing mounts "/var/a" after Ignition, because the unit var-a.mount is not enabled: its data is on the root disk',
    ]);
    const starter = { name: 'a.service', contents: '[Unit]\nRequires=var-a.mount\n' };
    expect(found({ ...filesystem('/var/a'), systemd: { units: [...units, starter] } })).toEqual([]);
  });

  it.each([
    ['of the system', filesystem('/')],
    ['of swap', filesystem('/var/a', { format: 'swap' })],
    ['without a path', { storage: { filesystems: [{ device: '/dev/disk/by-partlabel/a', format: 'xfs' }] } }],
    [
      'in fstab',
      { storage: { filesystems: [{ device: '/dev/b', path: '/var/a' }], files: [{ path: '/etc/fstab' }] } },
    ],
  ])('%s', (_name, given) => {
    expect(found(given)).toEqual([]);
  });
});

describe('programs of units', () => {
  const unit = (line: string, rest: object = {}) => ({
    systemd: { units: [{ name: 'a.service', contents: `[Service]\n${line}\n`, ...rest }] },
  });
  const program = { path: '/usr/local/bin/a.sh', mode: 0o755 };

  it('that no file writes', () => {
    expect(found(unit('ExecStart=@/usr/local/bin/a.sh --now'))).toEqual([
      'useless systemd.units[0].contents: the unit starts "/usr/local/bin/a.sh", which no file of the config writes',
    ]);
  });

  it.each([
    ['that a file writes', { ...unit('ExecStart=/usr/local/bin/a.sh'), storage: { files: [program] } }],
    ['of the image', unit('ExecStart=/usr/bin/true')],
    ['of the machine config operator', unit('ExecStart=/usr/local/bin/configure-ovs.sh OVNKubernetes')],
    ['that may fail', unit('ExecStart=-/usr/local/bin/a.sh')],
    ['of a masked unit', unit('ExecStart=/usr/local/bin/a.sh', { mask: true })],
    ['with a condition', unit('ConditionPathExists=/usr/local/bin/a.sh\nExecStart=/usr/local/bin/a.sh')],
    [
      'that a script fetches',
      {
        ...unit('ExecStart=/opt/tool'),
        storage: { files: [{ path: '/etc/a', contents: { source: 'data:,curl%20-o%20/opt/tool' } }] },
      },
    ],
  ])('%s', (_name, given) => {
    expect(found(given)).toEqual([]);
  });

  it('that a drop-in starts, and environment files', () => {
    const dropins = [
      { name: '10-a.conf', contents: '[Service]\nExecStartPre=/opt/b\nEnvironmentFile=/etc/b.env\n' },
    ];
    expect(found(unit('EnvironmentFile=/opt/a.env', { dropins }))).toEqual([
      'useless systemd.units[0].dropins[0].contents: the drop-in starts "/opt/b", which no file of the config writes',
      'useless systemd.units[0].contents: the unit reads "/opt/a.env", which no file of the config writes',
      'useless systemd.units[0].dropins[0].contents: the drop-in reads "/etc/b.env", which no file of the config writes',
    ]);
  });

  it.each([
    ['that may be absent', unit('EnvironmentFile=-/etc/b.env')],
    ['of the image', unit('EnvironmentFile=/etc/os-release\nEnvironmentFile=/etc/sysconfig/crond')],
    ['of the machine config operator', unit('EnvironmentFile=/etc/mco/proxy.env')],
    ['of a pattern', unit('EnvironmentFile=/etc/b.d/*.env\nEnvironmentFile=/etc/%N.env')],
    ['that are made at run time', unit('EnvironmentFile=/run/b.env')],
    [
      'that a file writes',
      { ...unit('EnvironmentFile=/etc/b.env'), storage: { files: [{ path: '/etc/b.env' }] } },
    ],
    ['that another unit writes', unit('EnvironmentFile=/etc/b.env\nExecStartPre=/usr/bin/touch /etc/b.env')],
    [
      'beside contents that cannot be read here',
      {
        ...unit('EnvironmentFile=/etc/b.env'),
        storage: { files: [{ path: '/etc/c', contents: { source: 'https://example.com/c' } }] },
      },
    ],
  ])('environment files %s', (_name, given) => {
    expect(found(given)).toEqual([]);
  });

  it('that another config writes', () => {
    expect(found(unit('ExecStart=/usr/local/bin/a.sh'), { otherPaths: new Set([program.path]) })).toEqual([]);
  });
});

it.each([
  null,
  1,
  [],
  { storage: 1 },
  { storage: { files: [null, { path: 1 }], disks: [{ partitions: 'a' }] }, systemd: { units: [{}] } },
])('other values: %j', (given) => {
  expect(found(given)).toEqual([]);
});

describe('places', () => {
  const top = (place: string, folder: string): string =>
    `"${place}" needs "${folder}", which Ignition cannot create in the read-only folder /: the node does not boot`;

  it.each([
    ['files', '/data/site.conf', top('/data/site.conf', '/data')],
    ['directories', '/data', top('/data', '/data')],
    ['links', '/site', top('/site', '/site')],
    [
      'directories',
      '/ostree/x',
      '"/ostree/x" is on a read-only file system, so Ignition fails and the node does not boot',
    ],
    [
      'directories',
      '/media/usb',
      '"/media/usb" is gone when the node has booted: the file system is in memory',
    ],
  ])('%s %s', (kind, place, message) => {
    const result = found({ storage: { [kind]: [{ path: place, target: '/var/x' }] } });
    expect(result.map((each) => each.split(/: (.*)/)[1])).toEqual([message]);
  });

  it.each(['/etc/a', '/var/a', '/home/core/a', '/root/a', '/opt/a', '/usr/local/bin/a', '/srv/a', '/mnt/a'])(
    '%s can be written',
    (place) => {
      for (const kind of ['files', 'directories', 'links'])
        expect(found({ storage: { [kind]: [{ path: place, target: '/var/x' }] } })).toEqual([]);
    },
  );

  it('mount points', () => {
    const given = (place: string, unit: string): unknown => ({
      storage: { filesystems: [{ device: '/dev/disk/by-partlabel/data', format: 'xfs', path: place }] },
      systemd: { units: [{ name: unit, enabled: true, contents: `[Mount]\nWhere=${place}\n[Install]\n` }] },
    });
    expect(found(given('/data', 'data.mount'))).toEqual([
      `unbootable storage.filesystems[0].path: ${top('/data', '/data')}`,
      'useless systemd.units[0].contents: systemd cannot create the mount point "/data": the folder / is read-only',
    ]);
    expect(found(given('/var/lib/data', 'var-lib-data.mount'))).toEqual([]);
  });
});
