import type { RevisionedObjects } from '../loops/revision.js';

/** The pair by which kube-scheduler is known to the API. */
export const clientPair = 'kube-scheduler-client-cert-key';

/** What the static pod reads in every dialect, and more. */
export function revisionOf(more: Pick<RevisionedObjects, 'configMaps' | 'secrets'>): RevisionedObjects {
  return {
    component: 'kube-scheduler',
    configMaps: [
      { name: 'kube-scheduler-pod' },
      { name: 'config' },
      { name: 'serviceaccount-ca' },
      { name: 'scheduler-kubeconfig' },
      ...more.configMaps,
    ],
    secrets: more.secrets,
    certConfigMaps: [],
    certSecrets: [{ name: clientPair }],
  };
}
