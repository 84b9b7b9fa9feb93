import { renameSync, rmSync } from 'node:fs';
import process from 'node:process';

import { systemErrorCode } from '../system-error.js';

/** Like renameSync over an existing file, but retries on Windows while another program has the file open. */
export function renameOver(from: string, to: string): void {
  withRetries(() => {
    renameSync(from, to);
  });
}

/** Like rmSync with `force`, but retries on Windows while another program has the file open. */
export function removeFile(path: string): void {
  withRetries(() => {
    rmSync(path, { force: true });
  });
}

/** About one second in total, enough for a virus scanner or an indexer to finish reading a file. */
const attempts = 20;
const pauseMs = 50;

/** Windows refuses to rename or remove a file that a program has open, unless it was opened with FILE_SHARE_DELETE (CreateFileW). */
function canBeHeldOpen(): boolean {
  return process.platform === 'win32';
}

/** libuv maps ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION to these (uv_translate_sys_error). */
const heldOpen: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

function withRetries(act: () => void): void {
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
