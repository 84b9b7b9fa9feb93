import type { StageName } from '../stages.js';
import type { Fault } from './fault.js';

const script = 'sno-preflight-disk.sh';

/** Stages that check the disk. */
const looks: readonly StageName[] = ['machine', 'preflight'];

/** Faults of the installation disk; each keeps the disk from being written. */
export const diskFaults: readonly Fault[] = [
  {
    id: 'disk-path',
    title: 'installationDisk is not a single path below /dev',
    stages: looks,
    signs: [{ script, says: "the installation disk must be one path below /dev, not '*'" }],
    cause: 'installationDisk was changed on the node, in /opt/openshift/sno-install.env.',
    fix: 'Set one absolute path, for example /dev/disk/by-id/wwn-…\.',
  },
  {
    id: 'disk-missing',
    title: 'the installation disk does not exist',
    stages: looks,
    signs: [{ script, says: 'the installation disk * does not exist; this machine has: *' }],
    cause:
      'The path belongs to another machine, or the name changed: /dev/sdX and /dev/nvmeXn1 can change with each boot.',
    fix: 'Set bootstrapInPlace.installationDisk to the /dev/disk/by-id path of a disk listed in the message.',
  },
  {
    id: 'disk-not-whole',
    title: 'the installation disk is not a whole disk',
    stages: looks,
    signs: [
      { script, says: 'the installation disk * is not a block device' },
      { script, says: 'the installation disk * is not a whole disk (its type is *)' },
    ],
    cause: 'installationDisk names a partition, a DVD drive, an LVM volume or a plain file.',
    fix: 'Set it to a whole disk; bootstrap/block-devices.txt lists them.',
  },
  {
    id: 'disk-read-only',
    title: 'the installation disk is read-only',
    stages: looks,
    signs: [{ script, says: 'the installation disk * is read-only' }],
    cause: 'The disk or its controller is write-protected, or the disk has failed and switched to read-only.',
    fix: 'Remove the protection, or replace the disk.',
  },
  {
    id: 'disk-is-live-medium',
    title: 'the installation disk is the boot medium',
    stages: looks,
    signs: [{ script, says: 'the installation disk * is the medium that this system was booted from' }],
    cause: 'installationDisk names the USB stick with the live ISO.',
    fix: 'Set installationDisk to the disk for the cluster.',
  },
  {
    id: 'disk-too-small',
    title: 'the installation disk is too small',
    stages: looks,
    signs: [{ script, says: 'the installation disk * has * GB; the cluster needs * GB' }],
    cause: 'installationDisk is the wrong disk, or the disk is too small.',
    fix: 'Use a disk of 120 GB or more. SNO_MINIMUM_DISK_GB in /opt/openshift/sno-install.env lowers the limit.',
  },
  {
    id: 'disk-holds-this-cluster',
    title: 'the disk already contains this cluster',
    stages: looks,
    signs: [
      {
        script,
        says: 'the installation disk * holds an installation of this cluster: put it before this medium in the boot order,',
      },
    ],
    cause: 'The installation is complete, but the firmware booted the live medium again instead of the disk.',
    fix: 'Put the disk first in the boot order, or remove the medium. To reinstall, which erases the disk, run `sudo touch /opt/openshift/reinstall-allowed` on the node, or set reinstall: SameCluster in sno-config.yaml.',
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
    cause: 'The live system activated LVM, RAID, multipath, swap or a file system on the disk.',
    fix: 'Deactivate the devices in the message (vgchange -an, mdadm --stop, swapoff, umount). If the disk contains no data to keep, wipefs --all removes them permanently. The installation then continues automatically.',
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
      "A new DHCP lease, or a new name from DNS. etcd's certificates contain the old name and address, so the node would not start.",
    fix: 'Restore the old name and address with a DHCP reservation, or with hostname and nodeIP in sno-config.yaml.',
  },
  {
    id: 'disk-write-failed',
    title: 'coreos-installer cannot write the disk',
    stages: ['coreos-installer'],
    signs: [{ script: 'install-to-disk.sh', says: 'coreos-installer could not write *' }],
    cause: 'The disk returns errors, or its sector size differs from that of the image in the live ISO.',
    fix: "Read coreos-installer's own lines in bootstrap/journals/install-to-disk.log and the kernel's in bootstrap/journals/journal.log.gz.",
    isGeneral: true,
  },
  {
    id: 'disk-unmarked',
    title: 'the cluster ID could not be written to the disk',
    stages: ['mark-disk'],
    signs: [
      {
        script: 'install-to-disk.sh',
        says: 'the disk * does not store the ID of the cluster',
      },
    ],
    cause:
      'The kernel cannot read the new partition table, or sgdisk cannot change it. The system is on the disk, but without the ID another boot from the live medium would install again.',
    fix: 'See sgdisk and blockdev messages in install-to-disk.log; try `sudo sgdisk --print DISK`. The stage is retried automatically. To continue without the ID, run `sudo touch /opt/openshift/mark-disk.done` and make sure that the machine boots from the disk.',
  },
  {
    id: 'disk-cannot-be-marked',
    title: 'the cluster ID cannot be stored on this disk',
    stages: 'any',
    signs: [
      {
        script: 'install-to-disk.sh',
        says: 'a DASD has no disk ID: a second installation cannot be detected',
      },
    ],
    cause: 'A DASD has no GPT.',
    fix: 'Make sure that the machine now boots from the disk, not from the live medium.',
    weight: 'note',
    isLasting: true,
  },
];
