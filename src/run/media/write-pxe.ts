import { join, resolve } from 'node:path';

import type { OutputFile } from '../../core/output-file.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { commit } from '../../disk/commit.js';
import { openDirectory } from '../../disk/directory.js';
import { readInput } from '../../disk/read-inputs.js';
import { withFilePaths } from '../../formats/working-directory.js';
import { overlayName } from '../../media/pxe-sources.js';
import { readOverlayConfig, scriptNames } from '../../media/single-node-pxe.js';

/** Writes all files for a network boot or none, and reads the embedded config back. Problems: dir/*. */
export async function writePxe(
  folder: string,
  files: readonly OutputFile[],
  config: Buffer,
): Promise<Result<void>> {
  const lock = await openDirectory(folder, 'sno-install create single-node-pxe');
  if (!lock.ok) return failure(...inFolder(folder, lock.problems));
  try {
    // A script of an earlier run would boot other files.
    const removals = scriptNames.filter((name) => !files.some(({ path }) => path === name));
    const committed = commit(folder, { writes: files, removals });
    if (!committed.ok) return failure(...inFolder(folder, committed.problems));
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

/** Places of problems in the folder of --out, which is relative to the working directory. */
function inFolder(folder: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.map((found) => withFilePaths(found, (file) => resolve(folder, file)));
}
