import type { SiteFolder } from './site-folders.js';

/** The comparison of media with the files of their fleet. */
export interface OutdatedMedia {
  /** Compares again if the last comparison is too old. */
  readonly refresh: () => Promise<void>;
  /** Status of an outdated medium in words; undefined if it is up to date or if that is not known. */
  readonly of: (site: SiteFolder) => string | undefined;
}
