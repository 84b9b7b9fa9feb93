import { existsSync, linkSync } from 'node:fs';

import { systemErrorCode } from '../file-system-problem.js';
import { renameOver } from './held-open.js';
import { isUnsupported } from './unsupported.js';

/**
 * Gives a whole file its name, which is `taken` where something has it: a hard link, unlike a rename, takes nobody's place. Where there are
 * none, as on memory sticks, it is looked before the rename, and what gets the name between the two is replaced. The draft may be
 * there still. Throws system errors.
 */
export function giveName(draft: string, to: string): 'given' | 'taken' {
  try {
    linkSync(draft, to);
    return 'given';
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST' || existsSync(to)) return 'taken';
    if (!isUnsupported(error)) throw error;
    renameOver(draft, to);
    return 'given';
  }
}
