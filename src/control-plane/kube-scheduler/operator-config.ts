import type { KubeObject } from '../../kube/object.js';
import { kindOf } from '../loops/kinds.js';

/** Result of the operator's observers. */
export interface ObservedConfig {
  readonly servingInfo: { readonly cipherSuites: readonly string[]; readonly minTLSVersion: string };
}

/** The operator's resource. Config observation writes its result there; target config reads it. */
export interface SchedulerOperator extends KubeObject {
  readonly apiVersion: 'operator.openshift.io/v1';
  readonly kind: 'KubeScheduler';
  readonly spec: { readonly managementState: 'Managed'; readonly observedConfig?: ObservedConfig };
}

export const schedulerOperators = kindOf<SchedulerOperator>('operator.openshift.io/v1', 'KubeScheduler');
