import { clusterDomain } from '../../config/cluster-domain.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { Ingress } from '../../kube/openshift-objects.js';
import { controlPlaneTopology, defaultPlacement } from '../../manifests/topology.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { defineManifests } from './family.js';

/** Domain of the routes, and the nodes that run the router. */
export const ingress = defineManifests({
  name: 'manifests/ingress',
  needs: { install: installConfig, sno: snoConfig },
  make: ({ install }) => [
    { path: 'manifests/cluster-ingress-02-config.yml', object: ingressObject(install) },
  ],
  // The node's local DNS server also answers for this domain.
  alsoElsewhere: ({ sno }) =>
    sno.dns.local
      ? [{ path: ['spec', 'domain'], input: 'metadata.name and baseDomain in install-config.yaml' }]
      : [],
});

function ingressObject(install: InstallConfig): Ingress {
  const controlPlane = controlPlaneTopology(install.controlPlane.replicas, 0);
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Ingress',
    metadata: { name: 'cluster' },
    spec: { domain: `apps.${clusterDomain(install)}` },
    status: { defaultPlacement: defaultPlacement(controlPlane) },
  };
}
