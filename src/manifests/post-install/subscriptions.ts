import { byCodeUnit } from '../../core/compare.js';
import { textAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import type { KubeObject } from '../../kube/object.js';
import { isListedGroup, servedAt } from '../../release/served-at.js';
import { absentKinds, isMatch } from '../checks/absent-kinds.js';
import { definedKinds } from '../checks/check-kinds.js';
import { operatorPackages, packagesOfGroup } from './operator-packages.js';
import { byWave, type PostInstallObject, type Wave } from './post-install-objects.js';

/** An OLM v0 Subscription of the site. */
export interface SubscriptionToPackage {
  /** `NAMESPACE/NAME`. */
  readonly name: string;
  readonly packageName: string;
  /** Absent for one in manifests/. */
  readonly wave?: Wave;
}

interface SiteObjects {
  readonly objects: readonly PostInstallObject[];
  /** The user's other objects. */
  readonly manifests: readonly { readonly object: KubeObject }[];
}

/** Returns the names of the Subscriptions that an object waits for: those that bring its kind and do not follow in a later wave. */
export function awaitedSubscriptions(site: SiteObjects): (each: PostInstallObject) => readonly string[] {
  const subscriptionsOf = subscriptionLookup(site);
  return ({ object, wave }) => {
    const awaited = subscriptionsOf(object).filter(
      (each) => each.wave === undefined || byWave(each.wave, wave) <= 0,
    );
    return [...new Set(awaited.map(({ name }) => name))].toSorted(byCodeUnit);
  };
}

/**
 * Returns a lookup of the Subscriptions that bring the kind of an object. A kind of a group outside `operatorPackages` may come from every
 * Subscription to a package outside it.
 */
export function subscriptionLookup({
  objects,
  manifests,
}: SiteObjects): (object: KubeObject) => readonly SubscriptionToPackage[] {
  const subscriptions = [
    ...manifests.flatMap(({ object }) => subscriptionIn(object)),
    ...objects.flatMap(({ object, wave }) => subscriptionIn(object).map((each) => ({ ...each, wave }))),
  ];
  const defined = new Set([...manifests, ...objects].flatMap(({ object }) => definedKinds(object)));
  return ({ apiVersion, kind }) => {
    const group = groupOf(apiVersion);
    const known = packagesOfGroup(group);
    if (known.length > 0) return subscriptions.filter(({ packageName }) => known.includes(packageName));
    if (!mayBeOfOperator(group, kind) || defined.has(`${group}/${kind}`)) return [];
    return subscriptions.filter(({ packageName }) => !listedPackages.has(packageName));
  };
}

/** Package of an OLM v0 Subscription; undefined for other objects. */
export function subscribedPackage(object: KubeObject): string | undefined {
  return object.kind === 'Subscription' && groupOf(object.apiVersion) === 'operators.coreos.com'
    ? textAt(object, ['spec', 'name'])
    : undefined;
}

const listedPackages: ReadonlySet<string> = new Set(Object.values(operatorPackages).flat());

function subscriptionIn(object: KubeObject): readonly SubscriptionToPackage[] {
  const packageName = subscribedPackage(object);
  if (packageName === undefined) return [];
  const { namespace = 'default', name } = object.metadata;
  return [{ name: `${namespace}/${name}`, packageName }];
}

/** False for kinds of the release. */
function mayBeOfOperator(group: string, kind: string): boolean {
  const row = absentKinds.find((each) => isMatch(each, group, kind));
  if (row !== undefined) return row.comes === 'with-operator';
  if (!isListedGroup(group)) return group.includes('.');
  // Operators define kinds in this listed group too, such as CertManager.
  const isKindKnown = servedAt(undefined).some((each) => each.group === group && each.kind === kind);
  return group === 'operator.openshift.io' && !isKindKnown;
}
