import type { StageName } from '../stages.js';
import type { Fault } from './fault.js';

const script = 'sno-preflight-disk.sh';

/** Stages that check the disk. */
const looks: readonly StageName[] = ['machine', 'preflight'];

/** Faults of the installation disk; each keeps the disk from being written. */
export const diskFaults: readonly Fault[] = [
  {
    id: 'disk-path',
    title: 'the installation disk is not one path below /dev',
    stages: looks,
    signs: [{ script, says: "the installation disk must be one path below /dev, not '*'" }],
    cause: 'installationDisk was changed on the node, in /opt/openshift/sno-install.env.',
    fix: 'Write one absolute path, such as /dev/disk/by-id/wwn-…',
  },
  {
    id: 'disk-missing',
    title: 'the installation disk does not exist',
    stages: looks,
    signs: [{ script, says: 'the installation disk * does not exist; this machine has: *' }],
    cause:
      'The path is that of another machine, or its name changed: /dev/sdX and /dev/nvmeXn1 change from boot to boot.',
    fix: 'Set bootstrapInPlace.installationDisk to a path below /dev/disk/by-id of one of the disks that the message lists.',
  },
  {
    id: 'disk-not-whole',
    title: 'the installation disk is no whole disk',
    stages: looks,
    signs: [
      { script, says: 'the installation disk * is not a block device' },
      { script, says: 'the installation disk * is not a whole disk (its type is *)' },
    ],
    cause: 'installationDisk names a partition, a DVD drive, an LVM volume or a plain file.',
    fix: 'Name the disk itself; bootstrap/block-devices.txt shows them.',
  },
  {
    id: 'disk-read-only',
    title: 'the installation disk is read-only',
    stages: looks,
    signs: [{ script, says: 'the installation disk * is read-only' }],
    cause: 'A write protection of the disk or its controller, or a disk that failed and protects itself.',
    fix: 'Remove the protection, or replace the disk.',
  },
  {
    id: 'disk-is-live-medium',
    title: 'the installation disk is what the machine was booted from',
    stages: looks,
    signs: [{ script, says: 'the installation disk * is the medium that this system was booted from' }],
    cause: 'installationDisk names the USB stick with the live ISO.',
    fix: 'Name the disk that the cluster is to live on.',
  },
  {
    id: 'disk-too-small',
    title: 'the installation disk is too small',
    stages: looks,
    signs: [{ script, says: 'the installation disk * has * GB; the cluster needs * GB' }],
    cause: 'The wrong disk, or a small one.',
    fix: 'Use a disk of 120 GB or more. SNO_MINIMUM_DISK_GB in /opt/openshift/sno-install.env lowers the limit.',
  },
  {
    id: 'disk-holds-this-cluster',
    title: 'the disk holds an installation of this very cluster',
    stages: looks,
    signs: [
      {
        script,
        says: 'the installation disk * holds an installation of this very cluster: put it before this medium in the boot order,',
      },
    ],
    cause: 'The installation is done, but the firmware booted the live medium again instead of the disk.',
    fix: 'Put the disk first in the boot order, or remove the medium. To install anew, run `sudo touch /opt/openshift/reinstall-allowed` on the node, or set reinstall: SameCluster in sno-config.yaml.',
  },
  {
    id: 'disk-busy',
    title: 'the installation disk is in use',
    stages: [...looks, 'coreos-installer'],
    signs: [
      { script, says: 'the installation disk * is in use: *' },
      {
        program: 'coreos-installer',
        says: /found busy partitions/,
        source: 'coreos-installer src/install.rs, ensure_exclusive_access',
      },
    ],
    cause:
      'The live system activated what it found on the disk: LVM, RAID, multipath, swap or a file system.',
    fix: 'Deactivate what the message names (vgchange -an, mdadm --stop, swapoff, umount); to be rid of it for good, wipefs --all. The installation then goes on by itself.',
  },
  {
    id: 'identity-changed-before-reboot',
    title: 'host name or address changed during the bootstrap',
    stages: ['preflight'],
    signs: [
      {
        script: 'install-to-disk.sh',
        says: "the host name and address are '*', but were '*' when the snapshot of etcd was taken",
      },
    ],
    cause:
      "A new DHCP lease or another name from DNS. etcd's certificates hold the old ones, so the node would not start.",
    fix: 'Set the old ones again, with a DHCP reservation, or hostname and nodeIP in sno-config.yaml.',
  },
  {
    id: 'disk-write-failed',
    title: 'coreos-installer cannot write the disk',
    stages: ['coreos-installer'],
    signs: [{ script: 'install-to-disk.sh', says: 'coreos-installer could not write *' }],
    cause: 'The disk returns errors, or its sector size is not that of the image in the live ISO.',
    fix: "Read coreos-installer's own lines in bootstrap/journals/install-to-disk.log and the kernel's in bootstrap/journals/journal.log.gz.",
    isGeneral: true,
  },
  {
    id: 'disk-unmarked',
    title: 'the disk could not be marked with the id of the cluster',
    stages: ['mark-disk'],
    signs: [
      {
        script: 'install-to-disk.sh',
        says: 'the disk * does not take the id of the cluster',
      },
    ],
    cause:
      'The kernel does not read the partition table that was written, or sgdisk cannot change it. The system is on the disk, but without the mark a machine that boots from the live medium again would install again.',
    fix: 'Read what sgdisk and blockdev said in install-to-disk.log; try `sudo sgdisk --print DISK`. It is tried again by itself. To go on without the mark: `sudo touch /opt/openshift/mark-disk.done`, and see to it that the machine boots from the disk.',
  },
  {
    id: 'disk-cannot-be-marked',
    title: 'the disk has no id that could hold the mark of the cluster',
    stages: 'any',
    signs: [
      {
        script: 'install-to-disk.sh',
        says: 'a DASD has no id of its own: a second installation will not be noticed',
      },
    ],
    cause: 'A DASD has no GPT.',
    fix: 'Make sure that the machine boots from the disk now, not from the live medium.',
    weight: 'note',
    isLasting: true,
  },
];
