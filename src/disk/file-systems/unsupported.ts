import { systemErrorCode } from '../system-error.js';

/**
 * Whether a call failed because the file system or platform does not support it. Some of these codes have other meanings
 * for some calls; callers check those themselves.
 */
export function isUnsupported(error: unknown): boolean {
  return codes.has(systemErrorCode(error));
}

/**
 * EPERM: link(2) on FAT and exFAT, fsync of a folder on Windows (FlushFileBuffers). EINVAL: fsync(2) of a folder. ENOSYS: FUSE file
 * systems that do not implement the call. EISDIR: open(2) of a folder on platforms that cannot open folders.
 */
const codes: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'EINVAL',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EISDIR',
]);
