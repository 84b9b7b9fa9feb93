import { filesOf, externalInputs, type SiteFileOptions } from '../build/site-file-options.js';
import type { SiteOptions } from '../build/site-options.js';
import type { SiteInputSources } from '../table/check-site-files.js';
import { filesAtCommit } from './review-source.js';

/** Options for a worker thread to read a fleet again and render its sites without keys. */
export interface ReviewOptions
  extends SiteFileOptions, Pick<SiteOptions, 'target' | 'known' | 'offlineFiles' | 'present' | 'isFipsHost'> {
  /** Git commit; absent for the files on disk. */
  readonly commit?: string;
  /** Registries of the placeholder for a missing pull secret in a golden tree. */
  readonly placeholderRegistries?: readonly string[];
}

/** Input files of the sites. */
export function reopenFleet(order: ReviewOptions): SiteInputSources {
  const { target, known, commit } = order;
  const files =
    commit === undefined ? filesOf(order) : filesAtCommit({ ...order, commit }, externalInputs(order));
  return { ...files, target, known };
}

/** Render options of the sites. */
export function dryRunOptionsOf({
  offlineFiles,
  placeholderRegistries,
}: ReviewOptions): Pick<ReviewOptions, 'offlineFiles' | 'placeholderRegistries'> {
  return {
    ...(offlineFiles !== undefined && { offlineFiles }),
    ...(placeholderRegistries && { placeholderRegistries }),
  };
}
