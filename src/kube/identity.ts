import { maskedWord } from '../core/quoted.js';
import type { KubeObject } from './object.js';

/** Identity of an object in a cluster, independent of the API version. */
export interface Identity {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export function identityOf({ apiVersion, kind, metadata }: KubeObject): Identity {
  return { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

/** The group of an `apiVersion`: `apps` of `apps/v1`, empty for `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** A unique string per identity, for maps and comparisons. */
export function identityKey({ group, kind, namespace, name }: Identity): string {
  return [group, kind, namespace, name].join('\n');
}

/** The name of an object in messages: `ConfigMap kube-system/root-ca`, `DNS cluster`. */
export function describeIdentity(identity: Identity): string {
  const [kind, namespace, name] = [identity.kind, identity.namespace, identity.name].map(maskedWord);
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
