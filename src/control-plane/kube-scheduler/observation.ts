import type { Loop } from '../../loops/loop.js';
import { observedServing } from '../shared/tls-profile.js';
import { schedulerOperators, type SchedulerOperator } from './operator-config.js';

/**
 * The config observation loop: `KubeScheduler/cluster` says what the cluster's TLS profile asks for.
 * Source: cluster-kube-scheduler-operator pkg/operator/configobservation
 */
export const configObservation: Loop = {
  name: 'config observation',
  component: 'kube-scheduler',
  run: (store) => {
    const operator = store.get(schedulerOperators, '', 'cluster') ?? untouchedOperator;
    const observedConfig = { servingInfo: observedServing(store) };
    return store.put({ ...operator, spec: { ...operator.spec, observedConfig } });
  },
};

/** As the operator's manifest has it: manifests/0000_25_kube-scheduler-operator_02_operator.cr.yaml */
const untouchedOperator: SchedulerOperator = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'KubeScheduler',
  metadata: { name: 'cluster' },
  spec: { managementState: 'Managed' },
};
