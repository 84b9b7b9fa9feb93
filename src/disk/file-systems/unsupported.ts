import { systemErrorCode } from '../file-system-problem.js';

/**
 * Whether a call failed because this file system or platform has none of its kind, and not because of what it was asked for. Where a call
 * has another meaning of one of these codes as well, the caller looks.
 */
export function isUnsupported(error: unknown): boolean {
  return codes.has(systemErrorCode(error));
}

/**
 * EPERM: link(2) on FAT and exFAT, fsync of a folder on Windows (FlushFileBuffers). EINVAL: fsync(2) of a folder. ENOSYS: FUSE, where the file
 * system has not the call. EISDIR: open(2) of a folder where none can be opened.
 */
const codes: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'EINVAL',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EISDIR',
]);
