import type { Component } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import type { LoopInputs } from './loop-inputs.js';
import type { Loop } from './loop.js';
import type { Store } from './store.js';

/** The target config loop of a component: what its operator makes of what was observed; undefined what cannot be made yet. */
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
