import type { Component } from '../../kube/components.js';
import { configMap, type ConfigMap, type Secret } from '../../kube/core-objects.js';
import { configMaps, secrets } from './kinds.js';
import type { Store } from './store.js';

/**
 * What a static pod of a component reads. The revisioned objects are copied under `<name>-1`, so that a later revision
 * leaves them as they are; those in the certs folder are read under their own names and may be renewed in place.
 * Source: openshift/library-go pkg/operator/staticpod/controller/revision, and each operator's lists
 */
export interface RevisionedObjects {
  readonly component: Component;
  readonly configMaps: readonly RevisionedObject[];
  readonly secrets: readonly RevisionedObject[];
  readonly certConfigMaps: readonly RevisionedObject[];
  readonly certSecrets: readonly RevisionedObject[];
}

/** An object of the component's namespace that each revision copies. */
export interface RevisionedObject {
  readonly name: string;
  /** An absent one is skipped; without this it is an internal error. */
  readonly isOptional?: true;
}

/** The one revision of a rendered control plane: the loops have settled before it is taken. */
export const revision = 1;

/** The store with the copies of a revision and the ConfigMap that says that it is complete. */
export function revisionOf(store: Store, objects: RevisionedObjects, namespace: string): Store {
  const copies = [
    ...objects.configMaps.flatMap((each) =>
      found(store.get(configMaps, namespace, each.name), each, namespace),
    ),
    ...objects.secrets.flatMap((each) => found(store.get(secrets, namespace, each.name), each, namespace)),
  ].map(revisionedCopy);
  const status = configMap(
    {
      name: `revision-status-${revision}`,
      namespace,
      annotations: { 'operator.openshift.io/revision-ready': 'true' },
    },
    { reason: 'rendered at installation', revision: String(revision) },
  );
  return store.putAll([...copies, status]);
}

/** An object a revision asks for, or none where it may be absent. */
export function found<T extends ConfigMap | Secret>(
  object: T | undefined,
  { name, isOptional }: RevisionedObject,
  namespace: string,
): readonly T[] {
  if (object !== undefined) return [object];
  if (isOptional === true) return [];
  throw new Error(`internal error: the loops made no ${namespace}/${name}, which a revision needs`);
}

/** Labels and annotations stay with the original: they steer controllers that must not touch a copy. */
function revisionedCopy(object: ConfigMap | Secret): ConfigMap | Secret {
  const { name, namespace } = object.metadata;
  return {
    ...object,
    metadata: { name: `${name}-${revision}`, ...(namespace !== undefined && { namespace }) },
  };
}
