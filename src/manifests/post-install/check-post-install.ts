import { type Problem, problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import type { FieldPath, YamlNode } from '../../formats/yaml/yaml-tree.js';
import { textAt } from '../../kube/fields.js';
import { describeIdentity, groupOf, identityKey, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import {
  type ClusterFacts,
  definedKinds,
  isCapabilityEnabled,
  type KindState,
  kindStates,
} from '../checks/check-kinds.js';
import { createdNamespaces, namespacesAfter } from '../checks/check-namespaces.js';
import { operandNamespaces } from './operand-namespaces.js';
import { packagesOfGroup } from './operator-packages.js';
import { byWave, type PostInstallObject, type Wave } from './post-install-objects.js';
import { rebootProblems } from './reboot-problems.js';
import { subscribedPackage, subscriptionLookup, type SubscriptionToPackage } from './subscriptions.js';

/** The site's other manifests and the facts that decide on kinds. */
export interface PostInstallFacts {
  /** The user's objects in manifests/, openshift/ and extraManifests. */
  readonly manifests: readonly SourcedObject[];
  /** Undefined if the config is invalid there; kinds are then not checked. */
  readonly cluster: ClusterFacts | undefined;
}

/**
 * Reports objects of post-install/ that cannot be applied, or that belong elsewhere. Their content is checked as that of other manifests.
 * Problems: post-install/…, manifest/duplicate, manifest/kind-absent.
 */
export function postInstallProblems(
  objects: readonly PostInstallObject[],
  { manifests, cluster }: PostInstallFacts,
): readonly Problem[] {
  return [
    ...duplicateProblems(objects, manifests),
    ...orderProblems(objects, manifests, cluster),
    ...(cluster ? kindProblems(objects, manifests, cluster) : []),
    ...objects.flatMap(rebootProblems),
    ...objects.flatMap(numberProblems),
  ];
}

/** Reports objects that are also in another file. Problems: manifest/duplicate. */
export function duplicateProblems(
  objects: readonly PostInstallObject[],
  manifests: readonly (SourcedObject | { readonly object: KubeObject; readonly path: string })[],
): readonly Problem[] {
  const seen = new Map(
    manifests.map((each) => [
      identityKey(identityOf(each.object)),
      'source' in each ? each.source.file : each.path,
    ]),
  );
  return objects.flatMap((each) => {
    const identity = identityOf(each.object);
    const earlier = seen.get(identityKey(identity));
    seen.set(identityKey(identity), earlier ?? each.path);
    if (earlier === undefined) return [];
    const message = `${describeIdentity(identity)} is in ${each.path} and in ${earlier}`;
    const at = manifestFieldPlace(each.source, ['metadata', 'name']);
    return [problem('manifest/duplicate', message, { at, hint: 'remove one of the two' })];
  });
}

/** Reports objects whose namespace or definition is missing or follows in a later wave. */
function orderProblems(
  objects: readonly PostInstallObject[],
  manifests: readonly SourcedObject[],
  cluster: ClusterFacts | undefined,
): readonly Problem[] {
  const early = new Set([...namespacesAfter(manifests), ...operandNamespaces(cluster)]);
  const namespaces = firstWaves(objects, createdNamespaces);
  const earlyKinds = new Set(manifests.flatMap(({ object }) => definedKinds(object)));
  const kinds = firstWaves(objects, definedKinds);
  const subscriptionsOf = subscriptionLookup({ objects, manifests });
  return objects.flatMap((each) => {
    const { apiVersion, kind, metadata } = each.object;
    const { namespace = '' } = metadata;
    const group = `${groupOf(apiVersion)}/${kind}`;
    const namespaceWave = namespaces.get(namespace);
    const isKnown = namespace === '' || early.has(namespace);
    return [
      ...(isKnown || namespaceWave !== undefined ? [] : [unknownNamespace(each, namespace)]),
      ...(isKnown
        ? []
        : late(each, ['metadata', 'namespace'], `Namespace ${maskedWord(namespace)}`, namespaceWave)),
      ...(earlyKinds.has(group)
        ? []
        : late(each, ['kind'], `CustomResourceDefinition of ${maskedWord(kind)}`, kinds.get(group))),
      ...lateSubscription(each, subscriptionsOf(each.object)),
    ];
  });
}

/** A kind of an unlisted group may come with any of the Subscriptions. */
function lateSubscription(
  each: PostInstallObject,
  subscriptions: readonly SubscriptionToPackage[],
): readonly Problem[] {
  const [first] = subscriptions.toSorted((left, right) => byWave(left.wave ?? -1, right.wave ?? -1));
  if (first === undefined || packagesOfGroup(groupOf(each.object.apiVersion)).length === 0) return [];
  return late(each, ['kind'], `Subscription ${maskedWord(first.name)}`, first.wave);
}

function firstWaves(
  objects: readonly PostInstallObject[],
  namesOf: (object: KubeObject) => readonly string[],
): ReadonlyMap<string, Wave> {
  const waves = new Map<string, Wave>();
  for (const { object, wave } of objects)
    for (const name of namesOf(object)) waves.set(name, waves.get(name) ?? wave);
  return waves;
}

function late(
  { object, source, wave }: PostInstallObject,
  path: FieldPath,
  what: string,
  needed: Wave | undefined,
): readonly Problem[] {
  if (needed === undefined || byWave(needed, wave) <= 0) return [];
  const message = `${describe(object)} is in wave ${wave} and needs the ${what} of wave ${needed}`;
  return [
    problem('post-install/wave-order', message, {
      at: manifestFieldPlace(source, path),
      hint: `move the ${what} to wave ${wave} or lower, or to manifests/`,
    }),
  ];
}

function unknownNamespace({ object, source }: PostInstallObject, namespace: string): Problem {
  const message = `${describe(object)} waits for the namespace ${maskedWord(namespace)}, which no manifest creates`;
  return problem('post-install/namespace-unknown', message, {
    at: manifestFieldPlace(source, ['metadata', 'namespace']),
    hint: 'add the Namespace as a manifest too, unless an operator creates it',
  });
}

function kindProblems(
  objects: readonly PostInstallObject[],
  manifests: readonly SourcedObject[],
  cluster: ClusterFacts,
): readonly Problem[] {
  const all = [...manifests, ...objects];
  const stateOf = kindStates(all, cluster);
  const packages = packagesIn(all);
  const judged = objects.map((each) => ({ each, state: stateOf(each) }));
  const unknown = judged.flatMap(({ each, state }) => unknownKind(each, { state, packages, cluster }));
  return [...firstOfEachKind(unknown), ...servedWaves(judged, namespacesAfter(manifests))];
}

interface Judged {
  readonly each: PostInstallObject;
  readonly state: KindState;
}

/** Packages that the site's manifests install. Sources: OLM v0 Subscription and OLM v1 ClusterExtension */
function packagesIn(objects: readonly SourcedObject[]): ReadonlySet<string> {
  return new Set(
    objects.flatMap(({ object }) => {
      const subscribed = subscribedPackage(object);
      if (subscribed !== undefined) return subscribed;
      if (object.kind === 'ClusterExtension' && groupOf(object.apiVersion) === 'olm.operatorframework.io')
        return textAt(object, ['spec', 'source', 'catalog', 'packageName']) ?? [];
      return [];
    }),
  );
}

interface KindFacts {
  readonly state: KindState;
  readonly packages: ReadonlySet<string>;
  readonly cluster: ClusterFacts;
}

function unknownKind(each: PostInstallObject, { state, packages, cluster }: KindFacts): readonly Problem[] {
  switch (state.is) {
    case 'served':
      return [];
    case 'unserved':
      return mayBeOfOperator(each.object, state) ? missingOperator(each, packages) : state.problems;
    case 'unlisted':
      return missingOperator(each, packages);
    case 'absent': {
      const { comes, because, hint, operatorCapability: capability } = state.row;
      if (comes === 'with-operator') return missingOperator(each, packages);
      if (comes === undefined) return [neverServed(each, because, hint)];
      if (
        capability === undefined ||
        isCapabilityEnabled(capability, cluster.install.capabilities, cluster.version)
      )
        return [];
      return [
        neverServed(
          each,
          `install-config.yaml leaves the capability ${capability} out`,
          `add ${capability} to capabilities.additionalEnabledCapabilities`,
        ),
      ];
    }
  }
}

/** Operators define kinds in this group too, such as CertManager. All kinds of the other listed groups are known. */
function mayBeOfOperator(
  { apiVersion }: KubeObject,
  { isKindKnown }: Extract<KindState, { is: 'unserved' }>,
): boolean {
  return !isKindKnown && groupOf(apiVersion) === 'operator.openshift.io';
}

function missingOperator(
  { object, source }: PostInstallObject,
  packages: ReadonlySet<string>,
): readonly Problem[] {
  const group = groupOf(object.apiVersion);
  const known = packagesOfGroup(group);
  if (known.length === 0 ? packages.size > 0 : known.some((name) => packages.has(name))) return [];
  const [name] = known;
  const at = manifestFieldPlace(source, ['apiVersion']);
  const what = `${maskedWord(object.kind)} of ${maskedWord(group)}`;
  if (name === undefined) {
    return [
      problem('post-install/kind-unknown', `no manifest brings the kind ${what}`, {
        at,
        hint: 'add its CustomResourceDefinition, or the Subscription of the operator that defines it, to manifests/',
      }),
    ];
  }
  return [
    problem('post-install/kind-unknown', `no manifest subscribes to ${name}, which brings the kind ${what}`, {
      at,
      hint: `add the Namespace, OperatorGroup and Subscription of ${name} to manifests/`,
    }),
  ];
}

function neverServed({ object, source }: PostInstallObject, because: string, hint: string): Problem {
  const message = `the kind ${maskedWord(object.kind)} of ${maskedWord(groupOf(object.apiVersion))} is never served, because ${because}`;
  return problem('post-install/kind-unknown', message, { at: manifestFieldPlace(source, ['kind']), hint });
}

function firstOfEachKind(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(
    ({ code, message }, index) =>
      code !== 'post-install/kind-unknown' ||
      problems.findIndex((other) => other.message === message) === index,
  );
}

/** Reports the waves before the first object that the bootstrap could not create: they wait for nothing. */
function servedWaves(judged: readonly Judged[], namespaces: ReadonlySet<string>): readonly Problem[] {
  const created = new Set(judged.flatMap(({ each }) => createdNamespaces(each.object)));
  const isLate = ({ each, state }: Judged): boolean => {
    const { namespace = '' } = each.object.metadata;
    return (
      state.is !== 'served' || (namespace !== '' && !namespaces.has(namespace) && !created.has(namespace))
    );
  };
  const firstLate = judged.find(isLate)?.each.wave;
  const early = judged.filter(({ each }) => firstLate === undefined || byWave(each.wave, firstLate) < 0);
  const waves = [...new Set(early.map(({ each }) => each.wave))];
  return waves.flatMap((wave) => {
    const inWave = early.filter(({ each }) => each.wave === wave).map(({ each }) => each);
    const [first] = inWave;
    if (first === undefined) return [];
    const kinds = [...new Set(inWave.map(({ object }) => maskedWord(object.kind)))];
    const message = `wave ${wave} waits for nothing: the installation already serves ${kinds.join(', ')}`;
    return [
      problem('post-install/served-kind', message, {
        at: manifestFieldPlace(first.source, ['kind']),
        hint: 'move the files of this wave to manifests/',
      }),
    ];
  });
}

function numberProblems({ source }: PostInstallObject): readonly Problem[] {
  return inexactNumbers(source.root, []).map((path) =>
    problem('post-install/number', 'the number has more digits than JSON keeps', {
      at: manifestFieldPlace(source, path),
      hint: 'write a smaller number, or put it in quotes if the field is a string',
    }),
  );
}

function inexactNumbers(node: YamlNode, path: FieldPath): readonly FieldPath[] {
  switch (node.kind) {
    case 'list':
      return node.items.flatMap((item, index) => inexactNumbers(item, [...path, index]));
    case 'map':
      return node.entries.flatMap(({ key, value }) => inexactNumbers(value, [...path, key]));
    case 'scalar':
      return Number.isInteger(node.value) && !Number.isSafeInteger(node.value) ? [path] : [];
  }
}

function describe(object: KubeObject): string {
  return describeIdentity(identityOf(object));
}
