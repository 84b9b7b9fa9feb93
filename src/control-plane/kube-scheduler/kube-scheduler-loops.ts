import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames, managedConfigNamespace } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { ComponentLoops, Loop } from '../loops/loop.js';
import { resourceSync } from '../loops/resource-sync.js';
import { staticResources } from '../loops/static-resources.js';
import { targetConfigLoop } from '../loops/target-config-loop.js';
import { type LoopbackClient, loopbackAccess } from '../shared/loopback-access.js';
import { podConfigMap } from '../shared/static-pod.js';
import { observedServing } from '../shared/tls-profile.js';
import { configFile, schedulerConfig } from './config.js';
import type { SchedulerDialect } from './dialect.js';
import { type SchedulerOperator, schedulerOperators } from './operator-config.js';
import { clientPair } from './revision-objects.js';

const { namespace } = componentNames['kube-scheduler'];

/**
 * The target config loop: configuration, kubeconfig, static pod, and the CA bundle of the API.
 * Source: cluster-kube-scheduler-operator pkg/operator/targetconfigcontroller
 */
function targetConfig(dialect: SchedulerDialect): Loop {
  return targetConfigLoop('kube-scheduler', (store, inputs) => {
    const config = schedulerConfig(dialect, inputs, store);
    return [
      config && configMap({ namespace, name: 'config' }, { 'config.yaml': writeYaml(configFile(config)) }),
      config && podConfigMap('kube-scheduler', dialect.pod(inputs, config)),
      ...loopbackAccess(store, access),
    ];
  });
}

const access: LoopbackClient = {
  component: 'kube-scheduler',
  kubeconfig: 'scheduler-kubeconfig',
  clientPair,
};

/** kube-apiserver's loops issue the client certificate. Source: cluster-kube-scheduler-operator pkg/operator/starter.go */
export function kubeSchedulerLoops(dialect: SchedulerDialect): ComponentLoops {
  return {
    component: 'kube-scheduler',
    first: [staticResources('kube-scheduler', dialect.staticObjects)],
    settling: [
      configObservation,
      targetConfig(dialect),
      resourceSync('kube-scheduler', [
        {
          kind: 'Secret',
          from: { namespace: managedConfigNamespace, name: clientPair },
          to: { namespace, name: clientPair },
        },
      ]),
    ],
  };
}

/**
 * The config observation loop: writes the cluster's TLS profile to `KubeScheduler/cluster`.
 * Source: cluster-kube-scheduler-operator pkg/operator/configobservation
 */
const configObservation: Loop = {
  name: 'config observation',
  component: 'kube-scheduler',
  run: (store) => {
    const operator = store.get(schedulerOperators, '', 'cluster') ?? untouchedOperator;
    const observedConfig = { servingInfo: observedServing(store) };
    return store.put({ ...operator, spec: { ...operator.spec, observedConfig } });
  },
};

/** Initial state of the operator's resource. Source: manifests/0000_25_kube-scheduler-operator_02_operator.cr.yaml */
const untouchedOperator: SchedulerOperator = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'KubeScheduler',
  metadata: { name: 'cluster' },
  spec: { managementState: 'Managed' },
};
