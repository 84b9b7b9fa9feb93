import { fileSize } from '../disk/file-size.js';
import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { faultOfProgram, ranProgram } from '../run/effects/run-program.js';

/**
 * Options of mksquashfs: no compression, since layers are compressed already and the node reads faster; no owner, times or extended
 * attributes, so that the same images give the same bytes. Source: mksquashfs(1) of squashfs-tools 4.4 to 4.6
 */
const options = [
  ['-noappend', '-no-progress', '-all-root', '-no-xattrs', '-no-exports', '-no-fragments', '-no-duplicates'],
  ['-noI', '-noD', '-noF', '-noX'],
  ['-mkfs-time', '0', '-all-time', '0', '-b', '1048576'],
  // Its default is a quarter of the memory.
  ['-mem', '256M'],
].flat();

/** mksquashfs refuses it beside its own options for times. */
const without = ['SOURCE_DATE_EPOCH'];
/** A release of 30 GB on a slow disk takes about half an hour. */
const limitMs = 4 * 3600 * 1000;

/** Problems: payload/program. */
export async function checkMksquashfs(): Promise<Result<void>> {
  const { end } = await ranProgram(['mksquashfs', '-version'], { limitMs: 10_000 });
  return 'error' in end ? refused('is not installed') : success(undefined);
}

/** Writes the file system of a folder. `onBytes` gets its size so far. Problems: payload/program. */
export async function makeFileSystem(
  folder: string,
  path: string,
  { stop, onBytes }: { readonly stop: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<Result<void>> {
  const timer = setInterval(() => {
    onBytes(fileSize(path) ?? 0);
  }, 500);
  try {
    const fault = await faultOfProgram(['mksquashfs', folder, path, ...options], { limitMs, without });
    stop.throwIfAborted();
    return fault === undefined ? success(undefined) : refused(fault);
  } finally {
    clearInterval(timer);
  }
}

function refused(fault: string): Result<never> {
  const hint = 'install the package squashfs-tools, version 4.4 or later';
  return failure(problem('payload/program', `mksquashfs ${fault}`, { hint }));
}
