import type { Fault } from './fault.js';
import type { Sign } from './signs.js';

const installer = (says: RegExp, source: string): readonly Sign[] => [
  { program: 'coreos-installer', says, source: `coreos-installer ${source}` },
];

/** Reasons of coreos-installer for a disk that it cannot write. */
export const writeFaults: readonly Fault[] = [
  {
    id: 'disk-sector-size',
    title: 'the sector size of the disk differs from that of the image',
    stages: ['coreos-installer'],
    signs: installer(
      /source has sector size \d+ but destination has sector size \d+|(?:disk|GPT) sector size \d+ doesn't match expected/,
      'src/download.rs, write_image, and src/blockdev.rs, SavedPartitions',
    ),
    cause:
      'The disk has sectors of 4096 bytes (or 512), and the image or the partitions to keep are for the other size.',
    fix: 'Let coreos-installer choose the image: no --image-file or --image-url in coreosInstaller. To keep partitions, format the disk with the size of its partition table (`nvme format --lbaf`).',
  },
  {
    id: 'disk-table-damaged',
    title: 'the partition table of the disk is damaged',
    stages: ['coreos-installer'],
    signs: installer(
      /corrupted (?:partition entry array )?CRC32 checksum/,
      'src/blockdev.rs, SavedPartitions, with the error of the crate gptman',
    ),
    cause: 'coreos-installer reads the old table before it writes, and stops if its checksum is wrong.',
    fix: 'If the disk contains nothing to keep: `sudo wipefs --all DISK` and `sudo sgdisk --zap-all DISK`, which erase it. The installation then continues.',
  },
  {
    id: 'disk-partitions-unseen',
    title: 'the kernel does not show the new partitions of the disk',
    stages: ['coreos-installer'],
    signs: installer(
      /couldn't find any partitions on |couldn't find \S+ device for |couldn't reread partition table(?!: device is in use)|path does not exist after udev/,
      'src/blockdev.rs, Disk::get_partitions, Disk::mount and reread_partition_table',
    ),
    cause:
      'The image is no disk image of CoreOS, the device has no partitions (a loop device, some RAID drivers), or udev is late.',
    fix: 'The stage is retried automatically. If the line comes back, remove --image-url and --image-file from coreosInstaller, and see the kernel log in bootstrap/journals/journal.log.gz.',
  },
  {
    id: 'disk-vanished',
    title: 'the disk disappeared',
    stages: ['coreos-installer', 'mark-disk'],
    signs: installer(
      /No such device(?: or address)?|opening \/dev\/\S+: No such file or directory|Transport endpoint is not connected|No medium found/,
      'std::io::Error of Rust: strerror(ENXIO), strerror(ENODEV), strerror(ENOMEDIUM)',
    ),
    cause: 'The disk, its cable or its controller was reset or removed while the disk was written.',
    fix: 'See the kernel log in bootstrap/journals/journal.log.gz. Check the disk in the BMC; update the firmware of disk and controller.',
  },
  {
    id: 'disk-input-output-error',
    title: 'the disk or the live medium returns input/output errors',
    stages: ['coreos-installer', 'mark-disk'],
    signs: installer(
      /[Ii]nput\/output error|Remote I\/O error|critical (?:target|medium) error/,
      'std::io::Error of Rust: strerror(EIO), strerror(EREMOTEIO); Linux block/blk-core.c',
    ),
    cause:
      'The disk or its controller is defective, or the live medium (a USB stick or virtual medium) cannot be read to its end.',
    fix: 'See the kernel log in bootstrap/journals/journal.log.gz for the device. Check a disk with `sudo smartctl --all DISK`; write a medium again or use a faster connection to the BMC.',
  },
  {
    id: 'disk-refuses-writing',
    title: 'the disk refuses to be written',
    stages: ['coreos-installer', 'mark-disk'],
    signs: installer(
      /Operation not permitted|Permission denied|Read-only file system|write[- ]protected/i,
      'std::io::Error of Rust: strerror(EPERM), strerror(EACCES), strerror(EROFS)',
    ),
    cause:
      'The disk is write-protected, locked by a password or by self-encryption (OPAL), or has worn out and is read-only.',
    fix: 'Unlock the disk in the firmware or the BMC (`sedutil-cli --scan` shows self-encrypting disks), or replace it.',
  },
  {
    id: 'disk-smaller-than-image',
    title: 'the image does not fit on the disk',
    stages: ['coreos-installer'],
    signs: installer(/No space left on device/, 'std::io::Error of Rust: strerror(ENOSPC) of a block device'),
    cause: 'The disk is smaller than the image, or a partition that is kept begins too early.',
    fix: 'Use a larger disk, or do not keep that partition (savePartitionLabels and savePartitionIndexes in sno-config.yaml).',
  },
  {
    id: 'installer-image-unusable',
    title: 'coreos-installer cannot read the image that it should write',
    stages: ['coreos-installer'],
    signs: installer(
      /cannot perform offline install|couldn't copy '|couldn't write '|--insecure not specified and signature not found|no artifacts found|failed signature verification/,
      'src/install.rs, src/download.rs and src/source.rs',
    ),
    cause:
      'The live medium has no image of the system (a minimal ISO without its root file system), is damaged, or --image-url leads elsewhere.',
    fix: 'Remove --image-url and --image-file from coreosInstaller, and create the medium again: `sno-install create iso` from the live ISO of the release. Compare the checksum of the live ISO.',
  },
];
