import { filesOf, outsideOf, type FilesOrder } from '../making/files-of-order.js';
import type { SiteOrder } from '../making/site-order.js';
import type { SitesOrigin } from '../judge-site.js';
import { filesAt } from './fleet-at.js';

/** Options for a worker thread to read a fleet again and render its sites without keys. */
export interface ReviewOrder
  extends FilesOrder, Pick<SiteOrder, 'target' | 'known' | 'offlineFiles' | 'present'> {
  /** Git commit; absent for the files on disk. */
  readonly commit?: string;
}

/** Input files of the sites. */
export function reopened(order: ReviewOrder): SitesOrigin {
  const { dir, base, overrides, target, known, commit } = order;
  const files =
    commit === undefined ? filesOf(order) : filesAt({ dir, commit, base, overrides }, outsideOf(order));
  return { ...files, target, known };
}

/** Render options of the sites. */
export function makingOf({ offlineFiles }: ReviewOrder): { readonly offlineFiles?: string } {
  return offlineFiles === undefined ? {} : { offlineFiles };
}
