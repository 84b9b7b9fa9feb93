import type { SnoConfig } from '../../../config/schema/sno-config-schema.js';
import type { KubeObject } from '../../../kube/object.js';
import { snoConfig } from '../../config/sno-config.js';
import { defineManifests } from '../family.js';

/** Graceful node shutdown; without a setting in sno-config.yaml there is no manifest, and Kubernetes' default of none applies. */
export const kubelet = defineManifests({
  name: 'manifests/kubelet',
  needs: { sno: snoConfig },
  make: ({ sno: { kubelet } }) =>
    kubelet.gracefulShutdown === undefined
      ? []
      : [
          {
            path: 'openshift/99_kubelet-graceful-shutdown.yaml',
            object: shutdownObject(kubelet.gracefulShutdown),
          },
        ],
});

type GracefulShutdown = NonNullable<SnoConfig['kubelet']['gracefulShutdown']>;

/** Source: openshift/api machineconfiguration/v1 KubeletConfig, kubernetes/kubelet config/v1beta1. */
function shutdownObject({ totalSeconds, criticalPodsSeconds }: GracefulShutdown): KubeObject {
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'KubeletConfig',
    metadata: { name: 'master-graceful-shutdown' },
    spec: {
      kubeletConfig: {
        shutdownGracePeriod: `${totalSeconds}s`,
        shutdownGracePeriodCriticalPods: `${criticalPodsSeconds}s`,
      },
      machineConfigPoolSelector: {
        matchLabels: { 'pools.operator.machineconfiguration.openshift.io/master': '' },
      },
    },
  };
}
