import { filesOf, outsideOf, type FilesOrder } from '../making/files-of-order.js';
import type { SiteOrder } from '../making/site-order.js';
import type { SitesOrigin } from '../judge-site.js';
import { filesAt } from './fleet-at.js';

/** How a thread finds a fleet again that was read before, and how it makes its sites without keys. */
export interface ReviewOrder
  extends FilesOrder, Pick<SiteOrder, 'target' | 'known' | 'offlineFiles' | 'present'> {
  /** The revision of Git that is meant; without, what lies there. */
  readonly commit?: string;
}

/** What the sites of such a fleet are made of. */
export function reopened(order: ReviewOrder): SitesOrigin {
  const { dir, base, overrides, target, known, commit } = order;
  const files =
    commit === undefined ? filesOf(order) : filesAt({ dir, commit, base, overrides }, outsideOf(order));
  return { ...files, target, known };
}

/** How they are made. */
export function makingOf({ offlineFiles }: ReviewOrder): { readonly offlineFiles?: string } {
  return offlineFiles === undefined ? {} : { offlineFiles };
}
