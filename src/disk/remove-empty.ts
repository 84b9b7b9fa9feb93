import { rmdirSync } from 'node:fs';

import { systemErrorCode } from './system-error.js';

/** Removes a folder of ours, unless another run uses it already. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}
