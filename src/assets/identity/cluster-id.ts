import { defineAsset } from '../../graph/asset.js';
import { installConfig } from '../config/install-config.js';

/** Generated identifiers of a cluster; stored in the state. */
export interface ClusterId {
  /** UUID version 4. */
  readonly uuid: string;
  /** Prefix for resources of the cluster; at most 27 characters. */
  readonly infraId: string;
}

/** Letters and digits that form no words. Source: k8s.io/apimachinery util/rand */
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Maximum length of the cluster name in 27 characters; a dash and five random characters follow. Source: openshift/installer pkg/asset/installconfig/clusterid.go */
const maxNameLength = 21;

export const clusterId = defineAsset({
  name: 'identity/cluster-id',
  needs: { config: installConfig },
  make: ({ config }, { valueSource }): ClusterId => ({
    uuid: valueSource.uuid('cluster'),
    infraId: `${infraName(config.metadata.name)}-${valueSource.text('infra-id', 5, safeAlphabet)}`,
  }),
});

function infraName(name: string): string {
  const dashed = name.replace(/[^A-Za-z0-9-]/g, '-').replace(/-+/g, '-');
  return dashed.slice(0, maxNameLength).replace(/-+$/, '');
}
