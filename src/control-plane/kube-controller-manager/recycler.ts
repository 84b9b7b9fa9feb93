import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import { configMap, type ConfigMap } from '../../kube/core-objects.js';
import type { LoopInputs } from '../loops/loop-inputs.js';

/** Namespace of the recycler pods and of shared infrastructure without an operator. */
export const infraNamespace = 'openshift-infra';

/**
 * Pod template with which kube-controller-manager scrubs released volumes of types without another recycler. It needs only a
 * shell; the operator uses the tools image, and its next revision replaces this ConfigMap.
 * Source: cluster-kube-controller-manager-operator bindata/assets/kube-controller-manager/recycler-cm.yaml
 */
export function recyclerConfig({ images }: LoopInputs): ConfigMap {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'recycler-pod',
      namespace: infraNamespace,
      annotations: { 'target.workload.openshift.io/management': '{"effect": "PreferredDuringScheduling"}' },
    },
    spec: {
      activeDeadlineSeconds: 60,
      restartPolicy: 'Never',
      serviceAccountName: 'pv-recycler-controller',
      containers: [
        {
          name: 'recycler-container',
          image: images.hyperkube,
          command: ['/bin/bash', '-c'],
          args: ['shopt -s dotglob nullglob; rm --recursive --force -- /scrub/*'],
          volumeMounts: [{ name: 'vol', mountPath: '/scrub' }],
          securityContext: { runAsUser: 0, readOnlyRootFilesystem: true },
          resources: { requests: { cpu: '10m', memory: '50Mi' } },
        },
      ],
      // kube-controller-manager sets the volume source.
      volumes: [{ name: 'vol' }],
    },
  };
  const { namespace } = componentNames['kube-controller-manager'];
  return configMap({ namespace, name: 'recycler-config' }, { 'recycler-pod.yaml': writeYaml(pod) });
}
