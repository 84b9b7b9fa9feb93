import type { OpenShiftRelease } from './openshift-release.js';
import { servedKinds, type ServedKinds } from './served-kinds.js';

export type Scope = 'namespaced' | 'cluster';

/** A kind in one of its served versions. */
export interface Served {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly scope: Scope;
  /** Served only with a preview feature set. */
  readonly isPreview: boolean;
}

/** The kinds that a release serves; the kinds that any release serves if the release is unknown. */
export function servedAt(release: OpenShiftRelease | undefined): readonly Served[] {
  return servedKinds
    .filter((row) => release === undefined || isServedBy(release, row))
    .flatMap(({ group, versions, namespaced = [], cluster = [], isPreview = false }) =>
      versions.flatMap((version) => [
        ...namespaced.map((kind): Served => ({ group, version, kind, scope: 'namespaced', isPreview })),
        ...cluster.map((kind): Served => ({ group, version, kind, scope: 'cluster', isPreview })),
      ]),
    );
}

const groups: ReadonlySet<string> = new Set(servedKinds.map(({ group }) => group));

/** Whether the table lists every kind of a group. */
export function isListedGroup(group: string): boolean {
  return groups.has(group);
}

function isServedBy({ version, kubernetesMinor }: OpenShiftRelease, row: ServedKinds): boolean {
  // 5.0 follows 4.23.
  const openShiftMinor = version.major === 4 ? version.minor : Infinity;
  return isWithin(kubernetesMinor, row.kubernetes) && isWithin(openShiftMinor, row.openshift);
}

function isWithin(minor: number, { from = 0, to = Infinity }: ServedKinds['kubernetes'] = {}): boolean {
  return from <= minor && minor <= to;
}
