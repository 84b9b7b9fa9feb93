import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where Linux keeps a file system in memory. Source: shm_overview(7) */
const memory = '/dev/shm';

/** Several times what the tests lay at once. */
const neededBytes = 2 * 1024 ** 3;

/**
 * Where tests lay their folders: in memory where there is room and programs can be run, unless TMPDIR says another place. On a disk ext4
 * looks at every inode that was freed a moment ago before it takes one, so thousands of files that come and go take half of the time of a test.
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

/** Containers have it mounted for data alone. */
function runsPrograms(folder: string): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === folder)?.[3];
  return options?.split(',').includes('noexec') === false;
}
