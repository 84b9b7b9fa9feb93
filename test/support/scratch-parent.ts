import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** The in-memory file system of Linux. Source: shm_overview(7) */
const memory = '/dev/shm';

/** Several times the space that tests use at the same time. */
const neededBytes = 2 * 1024 ** 3;

/**
 * The parent of the tests' folders: in memory if there is enough space and programs can run there, unless TMPDIR is set.
 * ext4 checks every recently freed inode before it allocates one, so many short-lived files take half of a test's time on disk.
 */
export function scratchParent(): string {
  return process.env['TMPDIR'] === undefined && isRoomy(memory) && runsPrograms(memory) ? memory : tmpdir();
}

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > neededBytes;
  } catch {
    return false;
  }
}

/** Containers mount /dev/shm with noexec. */
function runsPrograms(folder: string): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === folder)?.[3];
  return options?.split(',').includes('noexec') === false;
}
