import type { OpenShiftRelease } from './openshift-release.js';
import { byVersion, type ReleaseVersion } from './release-version.js';
import { releaseRows } from './rows.js';

export interface Releases {
  /** Oldest first. */
  readonly all: readonly OpenShiftRelease[];
  /** The supported releases, oldest first. */
  readonly offered: readonly OpenShiftRelease[];
  /** The range of supported releases for messages, such as `4.14 to 4.22`. */
  readonly offeredText: string;
  /** The row of a version; undefined if the release is unknown. */
  knownAs(version: ReleaseVersion): OpenShiftRelease | undefined;
  /** The row of a version, or the newest row before it, or the oldest row. */
  like(version: ReleaseVersion): OpenShiftRelease;
  /** The newest supported release. */
  readonly newest: OpenShiftRelease;
  /** The first release for which the predicate holds. Throws if there is none, like `lastWith`. */
  firstWith(holds: ReleasePredicate): OpenShiftRelease;
  lastWith(holds: ReleasePredicate): OpenShiftRelease;
}

export type ReleasePredicate = (release: OpenShiftRelease) => boolean;

/**
 * Builds the lookups for these rows: at least one, oldest first.
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

/** The known releases. */
export const releases: Releases = releasesOf(releaseRows);

export const defaultReleaseVersion = '4.21.0';

/** Such as `4.21`. */
export const defaultMinorRelease = defaultReleaseVersion.replace(/\.\d+$/, '');
