/** The error code of a failed system call (`ENOENT`, `EACCES`, …), or undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Describes a system error in plain words. */
export function reasonOf(error: unknown): string {
  const code = systemErrorCode(error);
  return (code !== undefined && reasons[code]) || code || messageOf(error);
}

/** Our own errors are plain `Error`s with a readable message. Other errors keep their name, such as TypeError. */
function messageOf(error: unknown): string {
  return error instanceof Error && error.name === 'Error' ? error.message : String(error);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a component of its path is not a folder',
  ENOENT: 'it does not exist',
  EEXIST: 'it already exists',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  ELOOP: 'too many symbolic links',
  EFBIG: 'the file is too large for the file system',
  EDQUOT: 'the disk quota is exceeded',
  EBUSY: 'it is in use by another program',
  EIO: 'input/output error',
  ENODEV: 'there is no such device',
  ENXIO: 'there is no such device',
  ENOSYS: 'not supported by the file system',
  ENAMETOOLONG: 'its name is too long',
};
