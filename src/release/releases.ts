import type { OpenShiftRelease } from './openshift-release.js';
import { byVersion, type ReleaseVersion } from './release-version.js';
import { releaseRows } from './rows.js';

/** What can be asked of a table of releases. */
export interface Releases {
  /** Oldest first. */
  readonly all: readonly OpenShiftRelease[];
  /** Those that sno-install is made for, oldest first. */
  readonly offered: readonly OpenShiftRelease[];
  /** The offered ones in words, as `4.14 to 4.22`. */
  readonly offeredText: string;
  /** The row of a version; none where no such release is known. */
  knownAs(version: ReleaseVersion): OpenShiftRelease | undefined;
  /** What a version is taken to be like: its row, else that of the newest before it, else the oldest. */
  like(version: ReleaseVersion): OpenShiftRelease;
  /** The newest that is offered. */
  readonly newest: OpenShiftRelease;
  /** The first and the last release for which something holds; there must be one. */
  firstWith(holds: Claim): OpenShiftRelease;
  lastWith(holds: Claim): OpenShiftRelease;
}

/** What may hold for a release. */
export type Claim = (release: OpenShiftRelease) => boolean;

/**
 * The questions over these rows. There is one row at least, and the oldest is the first.
 * @internal
 */
export function releasesOf(rows: readonly OpenShiftRelease[]): Releases {
  const [oldest] = rows;
  if (oldest === undefined) throw new Error('internal error: a table of releases without a row');
  const offered = rows.filter(({ isOffered }) => isOffered);
  const [first, last] = [offered[0] ?? oldest, offered.at(-1) ?? oldest];
  return {
    all: rows,
    offered,
    offeredText: `${first.version.text} to ${last.version.text}`,
    knownAs: (version) => rows.find((row) => byVersion(row.version, version) === 0),
    like: (version) => rows.findLast((row) => byVersion(row.version, version) <= 0) ?? oldest,
    newest: last,
    firstWith: (holds) => found(rows.find(holds)),
    lastWith: (holds) => found(rows.findLast(holds)),
  };
}

function found(release: OpenShiftRelease | undefined): OpenShiftRelease {
  if (release === undefined) throw new Error('internal error: no release in the table is like that');
  return release;
}

/** The releases that sno-install knows. */
export const releases: Releases = releasesOf(releaseRows);

/** The release that is installed when nobody names one. */
export const defaultReleaseVersion = '4.21.0';
