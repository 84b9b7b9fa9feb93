import type { StageName } from '../stages.js';
import type { Fault } from './fault.js';

const script = 'sno-preflight-disk.sh';
const deviceScript = 'sno-root-device.sh';
const partitionScript = 'sno-saved-partitions.sh';

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
    fix: 'Set one absolute path, for example /dev/disk/by-id/wwn-….',
  },
  {
    id: 'disk-missing',
    title: 'the installation disk does not exist',
    stages: looks,
    signs: [{ script, says: 'the installation disk * does not exist; this machine has: *' }],
    cause:
      'The path belongs to another machine, or the name changed: /dev/sdX and /dev/nvmeXn1 can change with each boot.',
    fix: 'Set bootstrapInPlace.installationDisk to the /dev/disk/by-id path of a disk listed in the message, or describe the disk in rootDeviceHints of sno-config.yaml.',
  },
  {
    id: 'root-device-none',
    title: 'no disk matches rootDeviceHints',
    stages: [...looks, 'coreos-installer'],
    signs: [
      {
        script: deviceScript,
        says: 'no disk of this machine matches rootDeviceHints (*); its disks are:',
      },
    ],
    cause:
      'The hints describe another machine or disk, or the disk is not detected. The last column of the table on the console names the hints that exclude each disk.',
    fix: 'Correct rootDeviceHints in sno-config.yaml with the values of the table, and build the medium again. If the disk is missing from the table, check its controller and the kernel log.',
  },
  {
    id: 'root-device-several',
    title: 'several disks match rootDeviceHints',
    stages: [...looks, 'coreos-installer'],
    signs: [
      {
        script: deviceScript,
        says: '* disks of this machine match rootDeviceHints (*), which must describe one; its disks are:',
      },
    ],
    cause:
      'The hints do not tell the disks apart. Two disks with the same WWN and serial number are two paths to one disk of a SAN, if multipath is not active in the live system.',
    fix: 'Add serialNumber, wwn or hctl to rootDeviceHints, with the value of the table. For a SAN, boot the live medium with the kernel argument rd.multipath=default.',
  },
  {
    id: 'disks-unlisted',
    title: 'the disks cannot be listed',
    stages: [...looks, 'coreos-installer'],
    signs: [{ script: deviceScript, says: 'lsblk cannot list the disks of this machine' }],
    cause: 'lsblk failed or did not end within 30 seconds: a disk or its controller does not answer.',
    fix: 'See the kernel log in bootstrap/journals/journal.log.gz, and remove the disk that does not answer.',
  },
  {
    id: 'disk-changed',
    title: 'the installation disk is another one than earlier in this boot',
    stages: [...looks, 'coreos-installer', 'mark-disk'],
    signs: [
      {
        script: deviceScript,
        says: 'the installation disk is now * (*), but was another one earlier in this boot',
      },
    ],
    cause:
      'A link below /dev/disk points to another disk than at the first check, or the disk was replaced while the live system ran. The installation would overwrite the other disk.',
    fix: 'Compare both disks in the message. If the present one is right, run `sudo rm /run/sno-install/installation-disk.json`; the installation then continues. Otherwise restore the disk.',
  },
  {
    id: 'saved-partitions-unreadable',
    title: 'coreos-installer cannot keep partitions of this disk',
    stages: looks,
    signs: [
      {
        script: partitionScript,
        says: 'the installation disk * is a DASD, whose partitions coreos-installer cannot keep',
      },
      {
        script: partitionScript,
        says: 'the partition table of the installation disk * (*) cannot be read, so its partitions cannot be kept',
      },
      {
        script: partitionScript,
        says: 'the partition table of the installation disk * is *; coreos-installer keeps only partitions of a GPT',
      },
    ],
    cause: 'coreosInstaller keeps partitions, which needs a readable GPT.',
    fix: 'Back up the data on the disk. Remove savePartitionLabels and savePartitionIndexes from sno-config.yaml if the disk contains nothing to keep.',
  },
  {
    id: 'saved-partition-too-early',
    title: 'a partition to keep leaves too little space for the system',
    stages: looks,
    signs: [
      {
        script: partitionScript,
        says: 'partition * (*) of the installation disk *, which is kept, begins at * MiB;',
      },
    ],
    cause: 'The system has the space before the first partition that is kept.',
    fix: 'Correct the label pattern if it matches this partition by mistake. Otherwise move the partition behind 25000 MiB, or lower SNO_MINIMUM_SYSTEM_MIB in /opt/openshift/sno-install.env.',
  },
  {
    id: 'saved-partitions-missing',
    title: 'no partition matches coreosInstaller',
    stages: looks,
    signs: [
      {
        script: partitionScript,
        says: 'coreosInstaller keeps no partition of the installation disk *, which has *:',
      },
    ],
    cause:
      'CoreOS is installed on the disk, but no partition has a label or number of savePartitionLabels or savePartitionIndexes. All data would be lost.',
    fix: 'Correct the pattern in sno-config.yaml. To install without keeping any partition, run `sudo touch /opt/openshift/reinstall-allowed` on the node.',
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
    fix: 'Use a disk of 120 GB or more, with a payload its size more. SNO_MINIMUM_DISK_GB in /opt/openshift/sno-install.env lowers the limit.',
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
        says: /found busy partitions|couldn't reread partition table: device is in use|Device or resource busy/,
        source:
          'coreos-installer src/install.rs, ensure_exclusive_access, and src/blockdev.rs, reread_partition_table',
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
