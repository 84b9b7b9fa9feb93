import type { ConfigMap, Secret } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';

/** A kind of object as a value: what it is called, and how to know one. */
export interface KindOf<T extends KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly is: (object: KubeObject) => object is T;
}

/** Declares a kind. `T` must be what objects of that `apiVersion` and `kind` look like. */
export function kindOf<T extends KubeObject>(apiVersion: T['apiVersion'], kind: T['kind']): KindOf<T> {
  return {
    apiVersion,
    kind,
    is: (object): object is T => object.apiVersion === apiVersion && object.kind === kind,
  };
}

/** ConfigMaps, as the store is asked for them. */
export const configMaps = kindOf<ConfigMap>('v1', 'ConfigMap');
/** Secrets, as the store is asked for them. */
export const secrets = kindOf<Secret>('v1', 'Secret');
