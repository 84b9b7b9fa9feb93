import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import type { KubeObject } from '../../kube/object.js';
import { kindOf } from './kinds.js';
import type { Store } from './store.js';

/** Kinds of config.openshift.io that the observers of the four operators read. */
export type ClusterResource = 'APIServer' | 'Authentication' | 'Image' | 'Network' | 'Proxy' | 'Scheduler';

/** Access to the fields of a cluster-scoped resource. All fields are absent if the resource does not exist. */
export interface ResourceFields {
  text(...path: readonly string[]): string | undefined;
  list(...path: readonly string[]): readonly unknown[];
  texts(...path: readonly string[]): readonly string[];
  at(...path: readonly string[]): unknown;
}

/** The resource `<kind>/cluster`, created by the user or the installer. */
export function clusterResource(store: Store, kind: ClusterResource): ResourceFields {
  const object = store.get(kindOf<KubeObject>('config.openshift.io/v1', kind), '', 'cluster');
  return {
    text: (...path) => textAt(object, path),
    list: (...path) => listAt(object, path),
    texts: (...path) => listAt(object, path).filter((each) => typeof each === 'string'),
    at: (...path) => fieldAt(object, path),
  };
}
