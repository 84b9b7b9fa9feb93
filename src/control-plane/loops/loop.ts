import type { Component } from '../../kube/components.js';
import type { LoopInputs } from './loop-inputs.js';
import type { Store } from './store.js';

/** A loop by the name that the enhancement document gives it, or by that of the controller where it names none. */
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
 * One control loop: it reads what it needs from the store and the inputs, and gives the store as it should be. It is run
 * again until nothing changes, so it must leave alone what is already right, and skip what is not there yet.
 */
export interface Loop {
  readonly name: LoopName;
  readonly component: Component;
  readonly run: (store: Store, inputs: LoopInputs) => Store;
}

/** The loops of one component in their order. */
export interface ComponentLoops {
  readonly component: Component;
  /** Run once, before everything else of this component. */
  readonly first: readonly Loop[];
  /** Run again and again, with those of the other components, until nothing changes. */
  readonly settling: readonly Loop[];
}
