import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { cpioArchive } from '../../src/formats/cpio.js';
import { outputOf, runProgram } from '../real/control-plane/support/run-program.js';

const mebibyte = 1024 * 1024;

/** The disk of a machine: a sparse file behind a loop device. */
export interface Disk {
  /** The device on the host. The machine's /dev gets a separate node for it. */
  readonly device: string;
  /** Hash of all data written to the disk. */
  readonly hash: () => Promise<string>;
  /** The Ignition config that the installer left in the boot partition. */
  readonly installedConfig: () => Promise<string>;
  /** The initramfs of the installed system, including the files that the installer appended. */
  readonly installedInitramfs: () => Promise<Buffer>;
  /** The options of the installed system's boot loader entry. */
  readonly bootOptions: () => Promise<string>;
  readonly partitions: () => Promise<readonly DiskPartition[]>;
  readonly detach: () => Promise<void>;
}

/** A partition in sectors of 512 bytes. */
export interface DiskPartition {
  readonly node: string;
  readonly name?: string;
  readonly start: number;
  readonly size: number;
  readonly uuid?: string;
}

/** Creates a disk of this size that already contains data, to check that a refused installation does not erase it. */
export async function createDisk(file: string, gigabytes = 120): Promise<Disk> {
  writeFileSync(file, 'what was on the disk before\n');
  await outputOf(['truncate', `--size=${gigabytes}G`, file]);
  const device = (await outputOf(['losetup', '--find', '--show', '--partscan', file])).trim();
  return {
    device,
    hash: () => hashOf(file),
    installedConfig: async () => (await readBootPartition(file, '/ignition/config.ign')).toString(),
    installedInitramfs: () => readBootPartition(file, initramfs),
    bootOptions: async () => {
      const entry = await readBootPartition(file, '/loader/entries/ostree-1-rhcos.conf');
      return /^options (.*)$/m.exec(entry.toString())?.[1] ?? '';
    },
    partitions: () => partitionsOf(file),
    detach: async () => {
      const attached = await outputOf(['losetup', '--associated', file]);
      for (const each of attached.match(/^\/dev\/loop\d+/gm) ?? []) {
        // Partitions that the kernel knows keep the device busy.
        await runProgram(['partx', '--delete', each]);
        await outputOf(['losetup', '--detach', each]);
      }
    },
  };
}

/** GNU tar skips the holes of a file without reading them. */
async function hashOf(file: string): Promise<string> {
  await outputOf(['sync', file]);
  const tar = spawn('tar', ['--create', '--sparse', '--hole-detection=seek', '--mtime=@0', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const hash = createHash('sha256');
  for await (const chunk of tar.stdout) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function readBootPartition(file: string, path: string): Promise<Buffer> {
  const { start } = await bootPartition(file);
  const copy = `${file}.copy`;
  rmSync(copy, { force: true });
  await outputOf(['debugfs', '-R', `dump ${path} ${copy}`, `${file}?offset=${start}`]);
  return readFileSync(copy);
}

async function bootPartition(file: string): Promise<DiskPartition> {
  const boot = (await partitionsOf(file)).find(({ name }) => name === 'boot');
  if (boot === undefined) throw new Error('the disk has no partition boot');
  return { ...boot, start: boot.start * 512, size: boot.size * 512 };
}

async function partitionsOf(file: string): Promise<readonly DiskPartition[]> {
  const { partitiontable } = JSON.parse(await outputOf(['sfdisk', '--json', file])) as {
    partitiontable: { partitions: readonly DiskPartition[] };
  };
  return partitiontable.partitions;
}

const deployment = '/ostree/rhcos-0';
const initramfs = `${deployment}/initramfs.img`;

/** The files that the installer reads from the boot partition. Source: Boot Loader Specification, type 1; coreos-installer src/io/bls.rs */
const bootFiles = {
  'loader/entries/ostree-1-rhcos.conf': `title RHCOS\nversion 1\noptions ignition.platform.id=metal lab.deleted=1\nlinux ${deployment}/vmlinuz\ninitrd ${initramfs}\n`,
  [`.${deployment}/vmlinuz`]: '',
  [`.${initramfs}`]: cpioArchive([]),
};

/**
 * A stub of the operating system image: its partitions and labels, empty except for a boot loader entry.
 * Source: layout of CoreOS
 */
export async function writeDiskImage(path: string): Promise<void> {
  if (existsSync(path)) return;
  mkdirSync(join(path, '..'), { recursive: true });
  await outputOf(['truncate', `--size=${(384 + 64) * mebibyte}`, path]);
  await outputOf(
    ['sfdisk', '--quiet', path],
    'label: gpt\nsize=1MiB, name=BIOS-BOOT\nsize=16MiB, name=EFI-SYSTEM\nsize=384MiB, name=boot\nname=root\n',
  );
  const { start, size } = await bootPartition(path);
  const boot = `${path}.boot`;
  for (const [name, bytes] of Object.entries(bootFiles)) {
    mkdirSync(dirname(join(boot, name)), { recursive: true });
    writeFileSync(join(boot, name), bytes);
  }
  const layout = ['-t', 'ext4', '-L', 'boot', '-d', boot, '-E', `offset=${start}`];
  await outputOf(['mke2fs', '-q', ...layout, path, `${size / 1024}k`]);
  rmSync(boot, { recursive: true });
}
