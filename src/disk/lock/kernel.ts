import { readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { hostname } from 'node:os';

import { sha256 } from '../../formats/sha256.js';
import { procPath } from '../file-systems/proc.js';

/**
 * ID of the running kernel, 12 hex digits. It is the same in every container on the kernel, and differs on every other machine and
 * after every boot, unlike a host name. Falls back to a hash of the host name.
 */
export function kernelId(): string {
  // Source: random(4), /proc/sys/kernel/random/boot_id
  return sha256(textOf(procPath('sys/kernel/random/boot_id')) ?? hostname()).slice(0, 12);
}

/** Identifies a process on its kernel. PIDs are unique only within their namespace, and are reused. */
export interface ProcessIdentity {
  readonly namespace: string;
  readonly pid: number;
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return { namespace: ownNamespace(), pid: process.pid, started: startTime(process.pid) };
}

/** Whether a process of this kernel runs; undefined for a process of another PID namespace, which cannot be checked. */
export function isRunning({ namespace, pid, started }: ProcessIdentity): boolean | undefined {
  return namespace === ownNamespace() ? started === startTime(pid) && isThere(pid) : undefined;
}

/** PID namespace (pid_namespaces(7)); empty if there is no /proc. */
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

/** Start time in ticks after boot: field 22 of /proc/PID/stat (proc_pid_stat(5)). Empty if there is no /proc. */
function startTime(pid: number): string {
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

/** Whether a folder is on a file system that only one kernel can mount. False for network file systems and unknown types. */
export function isLocalFileSystem(folder: string): boolean {
  return localFileSystemTypes.has(statfsSync(folder).type);
}

/** Source: statfs(2), f_type: ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ramfs, overlayfs, ZFS, FAT, exFAT, NTFS (linux/magic.h, fs/ntfs3) */
const localFileSystemTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0x4d44,
  0x2011bab0, 0x7366746e,
]);
