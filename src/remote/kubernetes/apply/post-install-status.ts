import { rfc3339 } from '../../../core/rfc3339.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';
import type { ApiAnswer, ClusterClient } from '../reader.js';
import { fieldManager } from './object-to-apply.js';

/** ConfigMap with the progress of the post-install manifests, which the node writes too. */
export const statusName = { namespace: 'kube-system', name: 'sno-post-install' } as const;

/** A finished set of post-install manifests. */
export interface CompleteSet {
  readonly waves: readonly string[];
  readonly present: Date;
}

/** Reports the set as complete. Takes over fields of other managers: only sno-install writes this object. */
export function writeComplete(
  { send }: Pick<ClusterClient, 'send'>,
  { waves, present }: CompleteSet,
): Promise<ApiAnswer> {
  const { namespace, name } = statusName;
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: {
      status: 'complete',
      wave: waves.at(-1) ?? '',
      waves: `${waves.length}/${waves.length}`,
      waiting: '',
      failed: '',
      updated: rfc3339(present),
    },
  };
  return send({
    path: `/api/v1/namespaces/${namespace}/configmaps/${name}`,
    query: { fieldManager, force: 'true' },
    apply: writeYaml(object),
  });
}
