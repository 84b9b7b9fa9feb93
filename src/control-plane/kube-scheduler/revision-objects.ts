import type { RevisionedObjects } from '../loops/revision.js';

/** Secret of kube-scheduler's client certificate for the API. */
export const clientPair = 'kube-scheduler-client-cert-key';

/** The objects that the static pod of both dialects reads, and additional ones. */
export function schedulerRevision(
  more: Pick<RevisionedObjects, 'configMaps' | 'secrets'>,
): RevisionedObjects {
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
