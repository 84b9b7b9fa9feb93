import { byKey } from '../../core/compare.js';
import type { KubeObject } from '../../kube/object.js';
import type { KindOf } from './kinds.js';

/**
 * In-memory API of the control loops: Kubernetes objects by kind, namespace and name, without resource versions. A store is
 * immutable; every write returns a new one. Cluster-scoped objects have the namespace ''.
 */
export interface Store {
  get<T extends KubeObject>(kind: KindOf<T>, namespace: string, name: string): T | undefined;
  /** The objects of a kind in one namespace or in all, ordered by namespace and name. */
  list<T extends KubeObject>(kind: KindOf<T>, namespace?: string): readonly T[];
  /** Throws an internal error if the object exists. */
  create(object: KubeObject): Store;
  /** Throws an internal error if the object does not exist. */
  update(object: KubeObject): Store;
  /** Creates or updates. Returns the same store if nothing changes. */
  put(object: KubeObject): Store;
  /** Creates or updates each object in order. */
  putAll(objects: readonly KubeObject[]): Store;
  /** All objects, ordered by API group, kind, namespace and name. */
  objects(): readonly KubeObject[];
}

/** Receives the key of every object read or written, in the form of `objectKey`. */
export interface StoreObserver {
  readonly onRead: (key: string) => void;
  readonly onWrite: (key: string) => void;
}

/** A store of these objects. Order does not matter, except that the last object with the same identity wins. */
export function createStore(objects: readonly KubeObject[]): Store {
  return storeOver(new Map(objects.map((object) => [objectKey(object), object])), undefined);
}

/** The same objects; reports every later access to the observer. */
export function observedStore(store: Store, observer: StoreObserver): Store {
  return storeOver(new Map(store.objects().map((object) => [objectKey(object), object])), observer);
}

/** `<kind>[.<group>]/<namespace>/<name>`; `<kind>[.<group>]/<name>` for cluster-scoped objects. */
export function objectKey({ apiVersion, kind, metadata }: KubeObject): string {
  return keyFrom({ apiVersion, kind }, metadata.namespace ?? '', metadata.name);
}

function keyFrom(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  namespace: string,
  name: string,
): string {
  const slash = apiVersion.indexOf('/');
  const kindAndGroup = slash === -1 ? kind : `${kind}.${apiVersion.slice(0, slash)}`;
  return [kindAndGroup, ...(namespace === '' ? [] : [namespace]), name].join('/');
}

function storeOver(objects: ReadonlyMap<string, KubeObject>, observer: StoreObserver | undefined): Store {
  const written = (object: KubeObject): Store => {
    const key = objectKey(object);
    observer?.onWrite(key);
    return storeOver(new Map(objects).set(key, object), observer);
  };
  const store: Store = {
    get: (kind, namespace, name) => {
      const key = keyFrom(kind, namespace, name);
      observer?.onRead(key);
      const found = objects.get(key);
      return found !== undefined && kind.is(found) ? found : undefined;
    },
    list: (kind, namespace) => {
      const found = sorted(objects).filter(kind.is);
      const wanted = found.filter(
        ({ metadata }) => namespace === undefined || (metadata.namespace ?? '') === namespace,
      );
      for (const each of wanted) observer?.onRead(objectKey(each));
      return wanted;
    },
    create: (object) => {
      if (objects.has(objectKey(object)))
        throw new Error(`internal error: ${objectKey(object)} exists already`);
      return written(object);
    },
    update: (object) => {
      if (!objects.has(objectKey(object)))
        throw new Error(`internal error: ${objectKey(object)} does not exist`);
      return written(object);
    },
    put: (object) => (isSame(objects.get(objectKey(object)), object) ? store : written(object)),
    putAll: (wanted) => wanted.reduce<Store>((each, object) => each.put(object), store),
    objects: () => sorted(objects),
  };
  return store;
}

function sorted(objects: ReadonlyMap<string, KubeObject>): readonly KubeObject[] {
  return [...objects].toSorted(byKey).map(([, object]) => object);
}

function isSame(present: KubeObject | undefined, wanted: KubeObject): boolean {
  return present !== undefined && JSON.stringify(present) === JSON.stringify(wanted);
}
