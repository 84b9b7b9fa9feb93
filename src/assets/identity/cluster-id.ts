import { defineAsset } from '../../graph/asset.js';
import { installConfig } from '../config/install-config.js';

/** How a cluster is told from others, drawn once and kept. */
export interface ClusterId {
  /** Version 4; tells this cluster from every other. */
  readonly uuid: string;
  /** Names what belongs to the cluster: at most 27 characters. */
  readonly infraId: string;
}

/** Letters and digits that make no words. Source: k8s.io/apimachinery util/rand */
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Room for the name in 27 characters: the rest is a dash and five random ones. Source: openshift/installer pkg/asset/installconfig/clusterid.go */
const maxNameLength = 21;

/** Who this cluster is. */
export const clusterId = defineAsset({
  name: 'identity/cluster-id',
  needs: { config: installConfig },
  make: ({ config }, { draws }): ClusterId => ({
    uuid: draws.uuid('cluster'),
    infraId: `${infraName(config.metadata.name)}-${draws.text('infra-id', 5, safeAlphabet)}`,
  }),
});

function infraName(name: string): string {
  const dashed = name.replace(/[^A-Za-z0-9-]/g, '-').replace(/-+/g, '-');
  return dashed.slice(0, maxNameLength).replace(/-+$/, '');
}
