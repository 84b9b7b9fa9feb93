import { readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { hostname } from 'node:os';

import { sha256 } from '../../formats/sha256.js';
import { procPath } from '../file-systems/proc.js';

/**
 * The running kernel, as 12 hexadecimal digits: the same in every container on it, another on every other machine and after
 * every boot. Host names say neither. Where there is no such id, that of the host name has to do.
 */
export function kernelId(): string {
  // Source: random(4), /proc/sys/kernel/random/boot_id
  return sha256(textOf(procPath('sys/kernel/random/boot_id')) ?? hostname()).slice(0, 12);
}

/** Who a process is on its kernel. Numbers of processes count in their namespace only, and are given again. */
export interface ProcessIdentity {
  readonly namespace: string;
  readonly pid: number;
  readonly started: string;
}

/** What tells this process from every other of this kernel. */
export function ownIdentity(): ProcessIdentity {
  return { namespace: ownNamespace(), pid: process.pid, started: startOf(process.pid) };
}

/** Whether a process of this kernel runs; undefined when it is of another namespace, where nobody can look. */
export function isRunning({ namespace, pid, started }: ProcessIdentity): boolean | undefined {
  return namespace === ownNamespace() ? started === startOf(pid) && isThere(pid) : undefined;
}

/** The namespace of process numbers (pid_namespaces(7)); empty where there is no /proc. */
function ownNamespace(): string {
  return procText(procPath('self/ns/pid'), readlinkSync) ?? '';
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Field 22 of /proc/PID/stat, ticks after boot (proc_pid_stat(5)); empty where there is no /proc. */
function startOf(pid: number): string {
  const stat = textOf(procPath(String(pid), 'stat')) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function textOf(path: string | undefined): string | undefined {
  return procText(path, (there) => readFileSync(there, 'utf8'));
}

function procText(path: string | undefined, read: (path: string) => string): string | undefined {
  try {
    return path === undefined ? undefined : read(path);
  } catch {
    return undefined;
  }
}

/**
 * Whether a folder lies on a file system that one kernel at a time has mounted. Of others, such as NFS, and of those that
 * are not known, it is not.
 */
export function isOfOneKernel(folder: string): boolean {
  return oneKernelTypes.has(statfsSync(folder).type);
}

/** Source: statfs(2), f_type: ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ramfs, overlayfs, ZFS, FAT, exFAT, NTFS (linux/magic.h, fs/ntfs3) */
const oneKernelTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0x4d44,
  0x2011bab0, 0x7366746e,
]);
