import type { Component } from '../../kube/components.js';
import { configMap, type ConfigMap, type Secret } from '../../kube/core-objects.js';
import { configMaps, secrets } from './kinds.js';
import type { Store } from './store.js';

/**
 * The objects that a component's static pod reads. Revisioned objects are copied to `<name>-1`, so that a later revision does not
 * change them. Objects in the certs folder keep their names and may be renewed in place.
 * Source: openshift/library-go pkg/operator/staticpod/controller/revision, and each operator's lists
 */
export interface RevisionedObjects {
  readonly component: Component;
  readonly configMaps: readonly RevisionedObject[];
  readonly secrets: readonly RevisionedObject[];
  readonly certConfigMaps: readonly RevisionedObject[];
  readonly certSecrets: readonly RevisionedObject[];
}

/** An object in the component's namespace that each revision copies. */
export interface RevisionedObject {
  readonly name: string;
  /** Skip the object if it does not exist; otherwise a missing object is an internal error. */
  readonly isOptional?: true;
}

/** A rendered control plane has a single revision, taken after the loops have settled. */
export const revision = 1;

/** Adds the copies of a revision and the ConfigMap that marks it as complete. */
export function withRevision(store: Store, objects: RevisionedObjects, namespace: string): Store {
  const copies = [
    ...objects.configMaps.flatMap((each) =>
      revisionObject(store.get(configMaps, namespace, each.name), each, namespace),
    ),
    ...objects.secrets.flatMap((each) =>
      revisionObject(store.get(secrets, namespace, each.name), each, namespace),
    ),
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

/** The object as a list of one, or an empty list if it is optional and missing. Throws if a required object is missing. */
export function revisionObject<T extends ConfigMap | Secret>(
  object: T | undefined,
  { name, isOptional }: RevisionedObject,
  namespace: string,
): readonly T[] {
  if (object !== undefined) return [object];
  if (isOptional === true) return [];
  throw new Error(`internal error: the loops made no ${namespace}/${name}, which a revision needs`);
}

/** Omits labels and annotations: they control controllers that must not modify a copy. */
function revisionedCopy(object: ConfigMap | Secret): ConfigMap | Secret {
  const { name, namespace } = object.metadata;
  return {
    ...object,
    metadata: { name: `${name}-${revision}`, ...(namespace !== undefined && { namespace }) },
  };
}
