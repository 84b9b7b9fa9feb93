import { shownWord } from '../core/quoted.js';
import type { KubeObject } from './object.js';

/** What makes an object one and the same in a cluster, whatever the version it is written in. */
export interface Identity {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Empty for objects of the whole cluster. */
  readonly namespace: string;
  readonly name: string;
}

/** Which object of a cluster this is, whatever version it is written in. */
export function identityOf({ apiVersion, kind, metadata }: KubeObject): Identity {
  return { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

/** The group of an `apiVersion`: `apps` of `apps/v1`, empty for `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** One text per identity, for maps and comparisons. */
export function identityKey({ group, kind, namespace, name }: Identity): string {
  return [group, kind, namespace, name].join('\n');
}

/** How a message names an object: `ConfigMap kube-system/root-ca`, `DNS cluster`. */
export function describeIdentity(identity: Identity): string {
  const [kind, namespace, name] = [identity.kind, identity.namespace, identity.name].map(shownWord);
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
