import type { Release } from '../../config/reading/release.js';
import { type Problem, problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import type { Capabilities, InstallConfig } from '../../config/schema/install-config-schema.js';
import { textAt } from '../../kube/fields.js';
import { describeIdentity, groupOf, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import { capabilitiesIn, capabilitiesOf } from '../../release/capability-sets.js';
import { releases } from '../../release/releases.js';
import { isListedGroup, servedAt, type Scope } from '../../release/served-at.js';
import { firstReleaseWithStreams, osImageStreamVersion } from '../os-image-streams.js';
import { type AbsentKinds, absentKinds, isMatch, toPostInstall } from './absent-kinds.js';
import { unservedKind } from './unserved-kind.js';

/** Feature sets without preview definitions in the payload; the others have them. Source: openshift/api payload-manifests/crds */
const setsWithoutPreviews: readonly string[] = ['', 'Default', 'OKD'];

/** Properties of the installation that determine the available kinds. */
export interface ClusterFacts {
  readonly install: InstallConfig;
  readonly version: Release['version'];
}

/**
 * Whether the API server of the bootstrap serves a kind. `absent`: listed with a reason; `unserved`: the release does not serve the kind
 * or version of a listed group, which may know the kind in another version; `unlisted`: a group that the table of served kinds does not know.
 */
export type KindState =
  | { readonly is: 'served' }
  | { readonly is: 'absent'; readonly row: AbsentKinds }
  | { readonly is: 'unserved'; readonly problems: readonly Problem[]; readonly isKindKnown: boolean }
  | { readonly is: 'unlisted'; readonly group: string };

/**
 * Reports objects whose kind is not served during bootstrap. A CustomResourceDefinition among the objects defines its kind.
 * Problems: manifest/kind-absent, manifest/kind-unknown, manifest/kind-unlisted.
 */
export function kindProblems(objects: readonly SourcedObject[], cluster: ClusterFacts): readonly Problem[] {
  const stateOf = kindStates(objects, cluster);
  return objects.flatMap((sourced) => {
    const state = stateOf(sourced);
    switch (state.is) {
      case 'served':
        return [];
      case 'absent':
        return [absent(sourced, state.row)];
      case 'unserved':
        return state.problems;
      case 'unlisted':
        return [isOfPlatform(state.group) ? unlisted(sourced, state.group) : unknown(sourced, state.group)];
    }
  });
}

/** The states of kinds if the definitions among the objects are created. Problems of `unserved`: manifest/kind-absent. */
export function kindStates(
  objects: readonly SourcedObject[],
  cluster: ClusterFacts,
): (sourced: SourcedObject) => KindState {
  const release = cluster.version && releases.like(cluster.version);
  const served = servedAt(release);
  const hasPreviews = !setsWithoutPreviews.includes(cluster.install.featureSet);
  const defined = new Set(objects.flatMap(({ object }) => definedKinds(object)));
  return (sourced) => {
    const { apiVersion, kind } = sourced.object;
    const group = groupOf(apiVersion);
    const isDefined = defined.has(`${group}/${kind}`);
    const row = absentKinds.find((each) => isMatch(each, group, kind));
    if (row && !(isDefined && row.isFinal !== true) && isAbsent(row, cluster)) return { is: 'absent', row };
    if (isUnservedStream(sourced.object, cluster))
      return { is: 'unserved', problems: [unservedStream(sourced)], isKindKnown: true };
    if (isDefined || (row && isAbsent(row, cluster))) return { is: 'served' };
    if (isListedGroup(group) || !group.includes('.')) {
      const problems = unservedKind(sourced, { served, release, hasPreviews });
      const isKindKnown = servedAt(undefined).some((each) => each.group === group && each.kind === kind);
      return problems.length === 0 ? { is: 'served' } : { is: 'unserved', problems, isKindKnown };
    }
    return row ? { is: 'served' } : { is: 'unlisted', group };
  };
}

/** Returns the scope of kinds that the release serves or the objects define; undefined for other kinds. */
export function scopesIn(
  objects: readonly SourcedObject[],
  version: Release['version'],
): (object: KubeObject) => Scope | undefined {
  const scopes = new Map<string, Scope>([
    ...servedAt(version && releases.like(version)).map(
      ({ group, kind, scope }) => [`${group}/${kind}`, scope] as const,
    ),
    ...objects.flatMap(({ object }) =>
      definedKinds(object).map((kind) => [kind, definedScope(object)] as const),
    ),
  ]);
  return ({ apiVersion, kind }) => scopes.get(`${groupOf(apiVersion)}/${kind}`);
}

function definedScope(definition: KubeObject): Scope {
  return textAt(definition, ['spec', 'scope']) === 'Cluster' ? 'cluster' : 'namespaced';
}

/** `GROUP/KIND` of a CustomResourceDefinition; empty for another object. */
export function definedKinds(object: KubeObject): readonly string[] {
  if (object.kind !== 'CustomResourceDefinition' || groupOf(object.apiVersion) !== 'apiextensions.k8s.io')
    return [];
  return [`${textAt(object, ['spec', 'group']) ?? ''}/${textAt(object, ['spec', 'names', 'kind']) ?? ''}`];
}

function isAbsent({ capability, since }: AbsentKinds, { install, version }: ClusterFacts): boolean {
  if (capability === undefined) return true;
  if (version?.major === 4 && version.minor < (since ?? 0)) return false;
  return !isCapabilityEnabled(capability, install.capabilities, version);
}

function absent(sourced: SourcedObject, { because, hint }: AbsentKinds): Problem {
  const message = `${describe(sourced)} cannot be created during the bootstrap, because ${because}`;
  return problem('manifest/kind-absent', message, { at: manifestFieldPlace(sourced.source, ['kind']), hint });
}

/** The machine config operator defines OSImageStream, but not in every release. */
function isUnservedStream({ apiVersion, kind }: KubeObject, { install, version }: ClusterFacts): boolean {
  const isStream = kind === 'OSImageStream' && groupOf(apiVersion) === 'machineconfiguration.openshift.io';
  return isStream && osImageStreamVersion(version, install) === undefined;
}

function unservedStream(sourced: SourcedObject): Problem {
  const message = `${describe(sourced)} cannot be created during the bootstrap, because the release does not serve its kind`;
  const at = manifestFieldPlace(sourced.source, ['kind']);
  return problem('manifest/kind-absent', message, {
    at,
    hint: `remove it, or install ${firstReleaseWithStreams} or later`,
  });
}

/** Groups with these suffixes belong to Kubernetes, OpenShift, or operators that are installed later. */
function isOfPlatform(group: string): boolean {
  return group.endsWith('.k8s.io') || group.endsWith('.openshift.io');
}

function unlisted(sourced: SourcedObject, group: string): Problem {
  const message = `${describe(sourced)} can be created only if the release itself defines kinds of ${maskedWord(group)}`;
  return problem('manifest/kind-unlisted', message, {
    at: manifestFieldPlace(sourced.source, ['apiVersion']),
    hint: `if an operator defines them, ${toPostInstall}`,
  });
}

function unknown(sourced: SourcedObject, group: string): Problem {
  const message = `${describe(sourced)} cannot be created during the bootstrap: no manifest defines kinds of ${maskedWord(group)}`;
  return problem('manifest/kind-unknown', message, {
    at: manifestFieldPlace(sourced.source, ['apiVersion']),
    hint: `add the CustomResourceDefinition as a manifest too; if an operator defines the kind, ${toPostInstall}`,
  });
}

function describe({ object }: SourcedObject): string {
  return describeIdentity(identityOf(object));
}

/**
 * Whether a component is installed. All are by default. With `capabilities` in install-config.yaml, only those of the baseline set and
 * the additional ones. A release without the capability always installs the component.
 */
export function isCapabilityEnabled(
  capability: string,
  given: Capabilities | undefined,
  version: Release['version'],
): boolean {
  if (given === undefined || given.additionalEnabledCapabilities.includes(capability)) return true;
  const release = version ? releases.like(version) : releases.newest;
  if (!capabilitiesOf(release).has(capability)) return true;
  return capabilitiesIn(given.baselineCapabilitySet, release)?.has(capability) ?? false;
}
