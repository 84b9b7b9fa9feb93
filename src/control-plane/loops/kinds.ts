import type { ConfigMap, Secret } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';

/** A kind of object as a value, with a type guard. */
export interface KindOf<T extends KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly is: (object: KubeObject) => object is T;
}

/** Declares a kind. `T` must be the type of every object with that `apiVersion` and `kind`. */
export function kindOf<T extends KubeObject>(apiVersion: T['apiVersion'], kind: T['kind']): KindOf<T> {
  return {
    apiVersion,
    kind,
    is: (object): object is T => object.apiVersion === apiVersion && object.kind === kind,
  };
}

export const configMaps = kindOf<ConfigMap>('v1', 'ConfigMap');
export const secrets = kindOf<Secret>('v1', 'Secret');
