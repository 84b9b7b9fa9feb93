import type { Component } from '../../kube/components.js';
import type { LoopInputs } from './loop-inputs.js';
import type { Store } from './store.js';

/** Loop names as in the enhancement document, or the controller's name for loops not named there. */
export type LoopName =
  | 'cert rotation'
  | 'encryption'
  | 'bound service-account tokens'
  | 'service-account key'
  | 'audit policy'
  | 'static resources'
  | 'config observation'
  | 'endpoints'
  | 'scripts'
  | 'target config'
  | 'resource sync'
  | 'node kubeconfigs'
  | 'revision';

/**
 * One control loop: reads objects from the store and the inputs and returns the desired store. It runs again until nothing
 * changes, so it must be idempotent and skip objects whose inputs do not exist yet.
 */
export interface Loop {
  readonly name: LoopName;
  readonly component: Component;
  readonly run: (store: Store, inputs: LoopInputs) => Store;
}

/** The loops of one component in order. */
export interface ComponentLoops {
  readonly component: Component;
  /** Run once, before the component's other loops. */
  readonly first: readonly Loop[];
  /** Run in rounds, together with those of the other components, until nothing changes. */
  readonly settling: readonly Loop[];
}
