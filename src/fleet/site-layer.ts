import { isError, type Problem } from '../core/problem.js';
import type { InputRead } from '../graph/context.js';
import type { ImportedFile } from '../import/imported-site.js';

/** What the table itself gives a site: files that are merged over those of the base, and beneath those of its override. */
export interface SiteLayer {
  readonly files: readonly ImportedFile[];
  /** What forbids to make the site, and what of its resource has no place in the files. */
  readonly problems: readonly Problem[];
}

/** What would make another cluster than the one that is described, if the rest were made without. */
export function isBlocking(found: Problem): boolean {
  return isError(found) && found.code.startsWith('import/') && found.code !== 'import/no-pull-secret';
}

/** What is read in the place of a file that cannot be made. */
export const unmade: InputRead = { kind: 'unreadable', reason: 'what the site is described by has problems' };
