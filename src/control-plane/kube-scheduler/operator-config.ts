import type { KubeObject } from '../../kube/object.js';
import { kindOf } from '../loops/kinds.js';

/** What its observers see. */
export interface ObservedConfig {
  readonly servingInfo: { readonly cipherSuites: readonly string[]; readonly minTLSVersion: string };
}

/** The operator's own object, through which config observation tells target config what it saw. */
export interface SchedulerOperator extends KubeObject {
  readonly apiVersion: 'operator.openshift.io/v1';
  readonly kind: 'KubeScheduler';
  readonly spec: { readonly managementState: 'Managed'; readonly observedConfig?: ObservedConfig };
}

/** Where the store keeps the operator's object. */
export const schedulerOperators = kindOf<SchedulerOperator>('operator.openshift.io/v1', 'KubeScheduler');
