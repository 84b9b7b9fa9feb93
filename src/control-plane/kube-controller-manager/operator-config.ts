import type { KubeObject } from '../../kube/object.js';
import { kindOf } from '../loops/kinds.js';
import type { FlagValues } from '../shared/flag-list.js';

/** What its observers see, in the shape of a sparse KubeControllerManagerConfig. */
export interface ObservedConfig {
  readonly extendedArguments: FlagValues;
  readonly servingInfo: { readonly cipherSuites: readonly string[]; readonly minTLSVersion: string };
}

/** The operator's own object, through which config observation tells target config what it saw. */
export interface ControllerManagerOperator extends KubeObject {
  readonly apiVersion: 'operator.openshift.io/v1';
  readonly kind: 'KubeControllerManager';
  readonly spec: {
    readonly managementState: 'Managed';
    readonly useMoreSecureServiceCA: true;
    readonly observedConfig?: ObservedConfig;
  };
}

/** Where the store keeps the operator's object. */
export const controllerManagerOperators = kindOf<ControllerManagerOperator>(
  'operator.openshift.io/v1',
  'KubeControllerManager',
);
