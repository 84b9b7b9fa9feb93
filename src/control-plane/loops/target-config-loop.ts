import type { Component } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import type { LoopInputs } from './loop-inputs.js';
import type { Loop } from './loop.js';
import type { Store } from './store.js';

/** The target config loop of a component. `objects` returns the objects to write; undefined entries cannot be built yet. */
export function targetConfigLoop(
  component: Component,
  objects: (store: Store, inputs: LoopInputs) => readonly (KubeObject | undefined)[],
): Loop {
  return {
    name: 'target config',
    component,
    run: (store, inputs) => store.putAll(objects(store, inputs).filter((object) => object !== undefined)),
  };
}
