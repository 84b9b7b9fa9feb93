import type { OpenShiftRelease } from './openshift-release.js';
import { servedKinds, type ServedKinds } from './served-kinds.js';

/** Whether the objects of a kind live in a namespace. */
export type Scope = 'namespaced' | 'cluster';

/** A kind in one of the versions in which a release serves it. */
export interface Served {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly scope: Scope;
  /** Served only with a feature set for previews. */
  readonly isPreview: boolean;
}

/** What a release serves; what any release serves where the release is unknown. */
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

/** Whether every kind of a group is in the table. */
export function isListedGroup(group: string): boolean {
  return groups.has(group);
}

function isServedBy({ version, kubernetesMinor }: OpenShiftRelease, row: ServedKinds): boolean {
  // 5.0 continues 4.23.
  const openShiftMinor = version.major === 4 ? version.minor : Infinity;
  return isWithin(kubernetesMinor, row.kubernetes) && isWithin(openShiftMinor, row.openshift);
}

function isWithin(minor: number, { from = 0, to = Infinity }: ServedKinds['kubernetes'] = {}): boolean {
  return from <= minor && minor <= to;
}
