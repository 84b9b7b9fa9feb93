import type { LoopInputs } from '../../loops/loop-inputs.js';
import type { Loop } from '../../loops/loop.js';
import type { Store } from '../../loops/store.js';
import { observedServing } from '../shared/tls-profile.js';
import type { ControllerManagerDialect } from './dialect.js';
import {
  controllerManagerOperators,
  type ControllerManagerOperator,
  type ObservedConfig,
} from './operator-config.js';

/**
 * The config observation loop: `KubeControllerManager/cluster` says what the cluster's networks and name ask for.
 * Source: cluster-kube-controller-manager-operator pkg/operator/configobservation
 */
export function configObservation(dialect: Pick<ControllerManagerDialect, 'observation'>): Loop {
  return {
    name: 'config observation',
    component: 'kube-controller-manager',
    run: (store, inputs) => {
      const operator = store.get(controllerManagerOperators, '', 'cluster') ?? untouchedOperator;
      const observedConfig = observe(dialect, store, inputs);
      return store.put({ ...operator, spec: { ...operator.spec, observedConfig } });
    },
  };
}

/** As the operator's manifest has it: manifests/0000_25_kube-controller-manager-operator_01_operator.cr.yaml */
const untouchedOperator: ControllerManagerOperator = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'KubeControllerManager',
  metadata: { name: 'cluster' },
  spec: { managementState: 'Managed', useMoreSecureServiceCA: true },
};

function observe(
  dialect: Pick<ControllerManagerDialect, 'observation'>,
  store: Store,
  inputs: LoopInputs,
): ObservedConfig {
  return {
    extendedArguments: {
      ...dialect.observation(inputs),
      'service-cluster-ip-range': [inputs.networks.serviceNetwork.join(',')],
    },
    servingInfo: observedServing(store),
  };
}
