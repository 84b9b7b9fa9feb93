import { join } from 'node:path';

import type { OutputFile } from '../../core/output-file.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { commit } from '../../disk/commit.js';
import { openDirectory } from '../../disk/directory.js';
import { readInput } from '../../disk/read-inputs.js';
import { overlayName } from '../../media/pxe-sources.js';
import { readOverlayConfig, scriptNames } from '../../media/single-node-pxe.js';

/** Writes all files for a network boot or none, and reads the embedded config back. Problems: dir/*. */
export async function writePxe(
  folder: string,
  files: readonly OutputFile[],
  config: Buffer,
): Promise<Result<void>> {
  const lock = await openDirectory(folder, 'sno-install create single-node-pxe');
  if (!lock.ok) return lock;
  try {
    // A script of an earlier run would boot other files.
    const removals = scriptNames.filter((name) => !files.some(({ path }) => path === name));
    const committed = commit(folder, { writes: files, removals });
    if (!committed.ok) return committed;
  } finally {
    lock.value.release();
  }
  const read = readInput(join(folder, overlayName));
  const found = read.kind === 'file' ? await readOverlayConfig(Buffer.from(read.bytes)) : undefined;
  if (found?.equals(config) === true) return success(undefined);
  return failure(
    problem('dir/not-writable', `cannot write ${join(folder, overlayName)}: it cannot be read back`),
  );
}
