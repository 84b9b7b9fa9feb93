import type { Dns } from '../../kube/openshift-objects.js';
import { clusterDomain } from '../../config/cluster-domain.js';
import { installConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';

/** The cluster's base domain. */
export const dns = defineManifests({
  name: 'manifests/dns',
  needs: { install: installConfig },
  make: ({ install }) => {
    const object: Dns = {
      apiVersion: 'config.openshift.io/v1',
      kind: 'DNS',
      metadata: { name: 'cluster' },
      spec: { baseDomain: clusterDomain(install) },
    };
    return [{ path: 'manifests/cluster-dns-02-config.yml', object }];
  },
  alsoElsewhere: () => [
    { path: ['spec', 'baseDomain'], input: 'metadata.name and baseDomain in install-config.yaml' },
  ],
});
