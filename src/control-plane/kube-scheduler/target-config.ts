import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames, managedConfigNamespace as managed } from '../../kube/components.js';
import { configMap, type ConfigMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import type { Loop } from '../../loops/loop.js';
import { combinedBundle } from '../../loops/resource-sync.js';
import { fileKubeconfig } from '../shared/file-kubeconfig.js';
import { renewablePair, revisionedConfigMap } from '../shared/mounted-paths.js';
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
  return {
    name: 'target config',
    component: 'kube-scheduler',
    run: (store, inputs) => {
      const config = schedulerConfig(dialect, inputs, store);
      const configured =
        config === undefined
          ? []
          : [
              configMap({ namespace, name: 'config' }, { 'config.yaml': writeYaml(configFile(config)) }),
              podConfigMap('kube-scheduler', dialect.pod(inputs, config)),
            ];
      const authorities = combinedBundle(store, { namespace, name: 'serviceaccount-ca' }, [
        { namespace: managed, name: 'kube-apiserver-server-ca' },
        { namespace: managed, name: 'default-ingress-cert' },
      ]);
      const wanted: readonly KubeObject[] = [
        ...configured,
        ...(authorities === undefined ? [] : [authorities]),
        kubeconfig(),
      ];
      return wanted.reduce((each, object) => each.put(object), store);
    },
  };
}

/** Over loopback, not over the name that the operator takes: no name resolves before the cluster's DNS runs. */
function kubeconfig(): ConfigMap {
  const text = fileKubeconfig({
    user: 'kube-scheduler',
    server: 'https://localhost:6443',
    caFile: revisionedConfigMap('serviceaccount-ca'),
    ...renewablePair(clientPair),
  });
  return configMap({ namespace, name: 'scheduler-kubeconfig' }, { kubeconfig: text });
}
