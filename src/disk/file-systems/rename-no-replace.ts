import { existsSync, linkSync } from 'node:fs';

import { systemErrorCode } from '../system-error.js';
import { renameOver } from './rename-over.js';
import { isUnsupported } from './unsupported.js';

/**
 * Moves a complete draft to its final name without replacing a file; returns `taken` if the name exists. Uses a hard link, which fails
 * on an existing name. File systems without hard links, such as FAT, get a check and a rename, so a file created between the two is
 * replaced. The draft may remain. Throws system errors.
 */
export function renameNoReplace(draft: string, to: string): 'given' | 'taken' {
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
