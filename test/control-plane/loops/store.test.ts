import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { configMap, secret } from '../../../src/kube/core-objects.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { configMaps, kindOf, secrets } from '../../../src/control-plane/loops/kinds.js';
import { objectKey, observedStore, createStore } from '../../../src/control-plane/loops/store.js';

const mapA = configMap({ namespace: 'a', name: 'one' }, { key: '1' });
const mapB = configMap({ namespace: 'b', name: 'one' }, { key: '2' });
const secretA = secret({ namespace: 'a', name: 'one' }, 'Opaque', { key: '3' });
const network = { apiVersion: 'config.openshift.io/v1', kind: 'Network', metadata: { name: 'cluster' } };
const operatorNetwork = { ...network, apiVersion: 'operator.openshift.io/v1' };

describe('a store', () => {
  test('finds objects by kind, namespace and name', () => {
    const store = createStore([mapA, mapB, secretA]);
    expect(store.get(configMaps, 'a', 'one')).toBe(mapA);
    expect(store.get(configMaps, 'b', 'one')).toBe(mapB);
    expect(store.get(secrets, 'a', 'one')).toBe(secretA);
    expect(store.get(secrets, 'b', 'one')).toBeUndefined();
  });

  test('distinguishes kinds of the same name by their groups', () => {
    const store = createStore([network, operatorNetwork]);
    expect(store.get(kindOf('operator.openshift.io/v1', 'Network'), '', 'cluster')).toBe(operatorNetwork);
    expect(store.objects().map(objectKey)).toEqual([
      'Network.config.openshift.io/cluster',
      'Network.operator.openshift.io/cluster',
    ]);
  });

  test('lists a kind in order, of one namespace or of all', () => {
    const store = createStore([mapB, secretA, mapA]);
    expect(store.list(configMaps)).toEqual([mapA, mapB]);
    expect(store.list(configMaps, 'b')).toEqual([mapB]);
  });

  test('leaves earlier stores as they were', () => {
    const before = createStore([mapA]);
    const after = before.create(mapB).update({ ...mapA, data: { key: 'changed' } });
    expect(before.objects()).toEqual([mapA]);
    expect(after.get(configMaps, 'a', 'one')?.data).toEqual({ key: 'changed' });
  });

  test('creates only missing objects, and updates only existing ones', () => {
    const store = createStore([mapA]);
    expect(() => store.create(mapA)).toThrow('internal error: ConfigMap/a/one exists already');
    expect(() => store.update(mapB)).toThrow('internal error: ConfigMap/b/one does not exist');
  });

  test('is unchanged after a put of an equal object', () => {
    const store = createStore([mapA]);
    expect(store.put({ ...mapA })).toBe(store);
    expect(store.put(mapB)).not.toBe(store);
  });

  test('notifies its observer of reads and writes', () => {
    const seen: string[] = [];
    const store = observedStore(createStore([mapA]), {
      onRead: (key) => seen.push(`read ${key}`),
      onWrite: (key) => seen.push(`write ${key}`),
    });
    store.put(mapB).get(configMaps, 'a', 'one');
    store.put(mapA);
    store.get(secrets, 'a', 'absent');
    expect(seen).toEqual(['write ConfigMap/b/one', 'read ConfigMap/a/one', 'read Secret/a/absent']);
  });

  test('is independent of the order of insertion', () => {
    const objects = fc.uniqueArray(
      fc.record({
        namespace: fc.constantFrom('a', 'b', 'c'),
        name: fc.string({ minLength: 1, maxLength: 3 }),
      }),
      { selector: ({ namespace, name }) => `${namespace}/${name}`, maxLength: 12 },
    );
    fc.assert(
      fc.property(objects, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (places, order) => {
        const made: readonly KubeObject[] = places.map((place) => configMap(place, { key: place.name }));
        const shuffled = made
          .map((object, index) => ({ object, at: order[index] ?? 0 }))
          .toSorted((left, right) => left.at - right.at)
          .map(({ object }) => object);
        const oneByOne = shuffled.reduce((store, object) => store.create(object), createStore([]));
        expect(oneByOne.objects()).toEqual(createStore(made).objects());
      }),
    );
  });
});
