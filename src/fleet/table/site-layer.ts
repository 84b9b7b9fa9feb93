import { isError, type Problem } from '../../core/problem.js';
import type { InputRead } from '../../graph/context.js';
import type { ImportedFile } from '../../import/imported-site.js';

/** Files that the table itself provides for a site. They are merged over the base, and the site's override over them. */
export interface SiteLayer {
  readonly files: readonly ImportedFile[];
  /** Errors that block the site, and warnings about settings without an equivalent. */
  readonly problems: readonly Problem[];
}

/** Errors that would silently result in a different cluster than described. A missing pull secret is not one of them. */
export function isBlocking(found: Problem): boolean {
  return isError(found) && found.code.startsWith('import/') && found.code !== 'import/no-pull-secret';
}

/** Returned instead of a file that cannot be generated. */
export const unavailableFile: InputRead = {
  kind: 'unreadable',
  reason: 'the description of the site has errors',
};
