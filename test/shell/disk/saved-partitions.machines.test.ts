import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { bootstrapped, script, showDisk } from './bootstrapped.js';
import { idleDisk } from './machine-files.js';
import type { Machine } from './machine.js';

const disk = '/dev/disk/by-id/test';
const image = ['BIOS-BOOT', 'EFI-SYSTEM', 'boot', 'root'];

interface Table {
  readonly label?: string;
  readonly sectorsize?: number;
  /** Label and first MiB of the partitions after those of the image. */
  readonly more?: readonly (readonly [label: string | undefined, start: number])[];
  readonly labels?: readonly string[];
}

/** As `sfdisk --json` prints it: a partition without a label has no name. */
function showTable(
  machine: Machine,
  { label = 'gpt', sectorsize = 512, more = [], labels = image }: Table,
): void {
  const all = [...labels.map((name, index) => [name, 1 + index] as const), ...more];
  const partitions = all.map(([name, start], index) => ({
    node: `/dev/sda${index + 1}`,
    start: (start * 1024 * 1024) / sectorsize,
    ...(name !== undefined && { name }),
  }));
  machine.answer(
    'sfdisk',
    JSON.stringify({ partitiontable: { label, device: '/dev/sda', sectorsize, partitions } }),
  );
}

function machineWith(
  installer: object,
  table: Table,
  variables: Readonly<Record<string, string>> = {},
): Machine {
  const machine = bootstrapped({ SNO_COREOS_INSTALLER: JSON.stringify(installer), ...variables });
  showTable(machine, table);
  return machine;
}

const data = { savePartitionLabels: ['data*'] };

describeWith(['bash', 'jq'], 'partitions that are kept', () => {
  test('are those that coreos-installer keeps', () => {
    const labels = ['data', 'data 2', 'Data', 'logs', undefined] as const;
    const machine = machineWith({}, { more: labels.map((label, index) => [label, 30_000 + index] as const) });
    const kept: readonly (readonly [installer: object, numbers: string])[] = [
      [{}, ''],
      [data, '5|6'],
      [{ savePartitionLabels: ['[dD]ata', 'l?gs'] }, '5|7|8'],
      [{ savePartitionLabels: ['[!d]ata'] }, '7'],
      [{ savePartitionIndexes: ['5', '7-8'] }, '5|7|8'],
      [{ savePartitionIndexes: ['8-'] }, '8|9'],
      [{ savePartitionLabels: ['logs'], savePartitionIndexes: ['10-12'] }, '8'],
    ];
    const lines = kept.map(
      ([installer]) =>
        `coreos_installer='${JSON.stringify(installer)}'; saved_numbers /dev/sda || true; echo .`,
    );
    const { stdout } = machine.source('sno-preflight-disk.sh', lines.join('\n'));
    expect(stdout.split('.\n').map((each) => each.trim())).toEqual([
      ...kept.map(([, numbers]) => numbers),
      '',
    ]);
  });

  test.each<{
    name: string;
    installer?: object;
    table: Table;
    facts?: object;
    variables?: Readonly<Record<string, string>>;
    want: string;
  }>([
    { name: 'behind the system', table: { more: [['data', 25_000]] }, want: '' },
    {
      name: 'behind the system, 4K sectors',
      table: { sectorsize: 4096, more: [['data', 25_000]] },
      want: '',
    },
    {
      name: 'in the place of the system',
      table: {
        more: [
          ['data', 30_000],
          ['data2', 24_999],
        ],
      },
      want: `partition 6 (data2) of the installation disk ${disk}, which is kept, begins at 24999 MiB; the system needs the first 25000 MiB`,
    },
    {
      name: 'a limit of the operator',
      table: { more: [['data', 9000]] },
      variables: { SNO_MINIMUM_SYSTEM_MIB: '8000' },
      want: '',
    },
    {
      name: 'no partition of an installed system',
      table: { more: [['date', 25_000]] },
      want: `coreosInstaller keeps no partition of the installation disk ${disk}, which has 1 (BIOS-BOOT), 2 (EFI-SYSTEM), 3 (boot), 4 (root), 5 (date): correct the pattern, or run 'sudo touch /opt/openshift/reinstall-allowed' to keep none`,
    },
    { name: 'the same, with reinstall Always', table: {}, variables: { SNO_REINSTALL: 'Always' }, want: '' },
    { name: 'the first installation, over another system', table: { labels: ['EFI', 'primary'] }, want: '' },
    { name: 'an empty table', table: { labels: [] }, want: '' },
    {
      name: 'a DOS table',
      table: { label: 'dos', labels: ['a'] },
      want: `the partition table of the installation disk ${disk} is dos; coreos-installer keeps only partitions of a GPT`,
    },
    {
      name: 'nothing to keep on a DOS table',
      installer: {},
      table: { label: 'dos', labels: ['a'] },
      want: '',
    },
  ])('$name', ({ installer = data, table, variables = {}, want }) => {
    const machine = machineWith(installer, table, variables);
    const { stdout } = machine.source('sno-preflight-disk.sh', `check_disk ${disk} || true`);
    expect(stdout.trimEnd().replaceAll(machine.root, '')).toBe(want);
  });

  test('an unreadable partition table is not an empty disk', () => {
    const machine = machineWith(data, {});
    machine.fail('sfdisk', 'always');
    const check = `check_disk ${disk} || true`;
    expect(machine.source('sno-preflight-disk.sh', check).stdout).toBe(
      `the partition table of the installation disk ${disk} (gpt) cannot be read, so its partitions cannot be kept\n`,
    );
    showDisk(machine, { pttype: null });
    expect(machine.source('sno-preflight-disk.sh', check).stdout).toBe('');
  });

  test('coreos-installer gets the arguments, one word each', () => {
    const machine = machineWith(
      {
        savePartitionLabels: ['my data*', 'logs'],
        savePartitionIndexes: ['5-'],
        appendKernelArguments: ['console=ttyS0,115200n8'],
        deleteKernelArguments: ['console=tty0'],
      },
      { more: [['my data 1', 30_000]] },
    );
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([
      'install --copy-network --save-partlabel=my data* --save-partlabel=logs --save-partindex=5- --append-karg=console=ttyS0,115200n8 --delete-karg=console=tty0 --ignition-file /opt/openshift/master.ign -- /dev/sda',
    ]);
  });

  const part = (number: number, more: object): object => ({
    ...idleDisk,
    name: `/dev/sda${number}`,
    type: 'part',
    ...more,
  });
  const volume = { name: '/dev/mapper/vg-data', type: 'lvm', mountpoint: null };

  test('LVM on a kept partition is deactivated before the write, and only there', () => {
    const machine = machineWith(data, {
      more: [
        ['data', 30_000],
        ['other', 90_000],
      ],
    });
    showDisk(machine, { children: [part(5, { children: [volume] })] });
    expect(machine.source('sno-preflight-disk.sh', `check_disk ${disk}`)).toMatchObject({
      status: 0,
      stdout: '',
    });
    // The stub does not remove it.
    expect(machine.run(script).status).toBe(1);
    expect(machine.calls('dmsetup')).toEqual(['remove --retry /dev/mapper/vg-data']);
    expect(machine.calls('umount')).toEqual([]);
    expect(machine.console()).toContain(
      `the installation disk ${disk} is in use: /dev/mapper/vg-data (lvm) is active on it\n`,
    );
    expect(machine.calls('coreos-installer')).toEqual([]);
    machine.forgetCalls();
    showDisk(machine, { children: [part(5, {}), part(6, { children: [volume] })] });
    expect(machine.run(script).status).toBe(1);
    expect(machine.calls('dmsetup')).toEqual([]);
  });

  test('a mounted file system on a kept partition stays mounted, and stops the installation', () => {
    const machine = machineWith(data, { more: [['data', 30_000]] });
    showDisk(machine, { children: [part(5, { children: [{ ...volume, mountpoint: '/mnt' }] })] });
    expect(machine.run(script).status).toBe(1);
    expect(machine.calls('umount')).toEqual([]);
    expect(machine.calls('dmsetup')).toEqual([]);
    expect(machine.console()).toContain('/dev/mapper/vg-data is mounted at /mnt');
  });
});
