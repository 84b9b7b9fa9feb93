import { renameSync, rmSync } from 'node:fs';
import process from 'node:process';

import { systemErrorCode } from '../file-system-problem.js';

/** Renames a file over what stands there, as renameSync does; where programs that read it can be in the way, they are waited for. */
export function renameOver(from: string, to: string): void {
  waiting(() => {
    renameSync(from, to);
  });
}

/** Removes a file that may be gone, as rmSync does; where programs that read it can be in the way, they are waited for. */
export function removeFile(path: string): void {
  waiting(() => {
    rmSync(path, { force: true });
  });
}

/** Together about a second: a scanner of viruses or an index has read a file by then. */
const attempts = 20;
const pauseMs = 50;

/** On Windows a file that a program has open keeps its name, unless that program allows otherwise (CreateFileW, FILE_SHARE_DELETE). */
function canBeHeldOpen(): boolean {
  return process.platform === 'win32';
}

/** What libuv makes of ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION (uv_translate_sys_error). */
const heldOpen: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

function waiting(act: () => void): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      act();
      return;
    } catch (error) {
      if (!canBeHeldOpen() || attempt === attempts || !heldOpen.has(systemErrorCode(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
