import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import { configMap, type ConfigMap } from '../../kube/core-objects.js';
import type { LoopInputs } from '../loops/loop-inputs.js';

/** Where the pods that empty released volumes run, with other things that belong to no one operator. */
export const infraNamespace = 'openshift-infra';

/**
 * The pod by which kube-controller-manager empties a released volume of the kinds that have no other way. It needs a
 * shell and no more; the operator takes the image of the tools, and replaces this by its next revision.
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
      // kube-controller-manager puts the volume in here.
      volumes: [{ name: 'vol' }],
    },
  };
  const { namespace } = componentNames['kube-controller-manager'];
  return configMap({ namespace, name: 'recycler-config' }, { 'recycler-pod.yaml': writeYaml(pod) });
}
