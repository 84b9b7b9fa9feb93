import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { Loop } from '../../loops/loop.js';
import { targetConfigLoop } from '../../loops/target-config-loop.js';
import { loopbackAccess, type LoopbackClient } from '../shared/loopback-access.js';
import { podConfigMap } from '../shared/static-pod.js';
import { configFile, schedulerConfig } from './config.js';
import { clientPair } from './read-objects.js';
import type { SchedulerDialect } from './dialect.js';

const { namespace } = componentNames['kube-scheduler'];

/**
 * The target config loop: configuration, kubeconfig, static pod, and the authorities of the API.
 * Source: cluster-kube-scheduler-operator pkg/operator/targetconfigcontroller
 */
export function targetConfig(dialect: SchedulerDialect): Loop {
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
