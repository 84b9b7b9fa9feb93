import type { KubeObject } from '../../kube/object.js';
import { kindOf } from '../loops/kinds.js';
import type { FlagValues } from '../shared/flag-list.js';

/** Result of the operator's observers: a sparse KubeControllerManagerConfig. */
export interface ObservedConfig {
  readonly extendedArguments: FlagValues;
  readonly servingInfo: { readonly cipherSuites: readonly string[]; readonly minTLSVersion: string };
}

/** The operator's resource. Config observation writes its result there; target config reads it. */
export interface ControllerManagerOperator extends KubeObject {
  readonly apiVersion: 'operator.openshift.io/v1';
  readonly kind: 'KubeControllerManager';
  readonly spec: {
    readonly managementState: 'Managed';
    readonly useMoreSecureServiceCA: true;
    readonly observedConfig?: ObservedConfig;
  };
}

export const controllerManagerOperators = kindOf<ControllerManagerOperator>(
  'operator.openshift.io/v1',
  'KubeControllerManager',
);
