import { internalApiHost } from '../../config/cluster-domain.js';
import { byCodeUnit } from '../../core/compare.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { Proxy } from '../../kube/openshift-objects.js';
import { networksOf, type ClusterNetworks } from '../../manifests/cluster-networks.js';
import { installConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';
import { network } from './network.js';
import { trustBundle } from './cluster-config-maps.js';

/** The cluster-wide proxy; the manifest is written even without a proxy. */
export const proxy = defineManifests({
  name: 'manifests/proxy',
  needs: { install: installConfig, network, trustBundle },
  make: ({ install, network, trustBundle }) => [
    {
      path: 'manifests/cluster-proxy-01-config.yaml',
      object: proxyObject(install, networksOf(network), trustBundle.length > 0),
    },
  ],
});

function proxyObject(install: InstallConfig, networks: ClusterNetworks, hasBundle: boolean): Proxy {
  const { proxy, additionalTrustBundlePolicy } = install;
  // The bundle is always written, but without a proxy it is trusted only with policy Always.
  const isBundleTrusted = hasBundle && (additionalTrustBundlePolicy === 'Always' || proxy !== undefined);
  const { httpProxy, httpsProxy } = proxy ?? {};
  const urls = { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }) };
  const noProxy = proxy?.noProxy;
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Proxy',
    metadata: { name: 'cluster' },
    spec: {
      ...urls,
      ...(noProxy && { noProxy }),
      ...(isBundleTrusted && { trustedCA: { name: 'user-ca-bundle' } }),
    },
    ...((httpProxy || httpsProxy) && {
      status: { ...urls, noProxy: everythingInside(install, networks) },
    }),
  };
}

/**
 * Hosts and networks that bypass the proxy: those of the cluster, and the user's.
 * Source: openshift/installer pkg/asset/manifests/proxy.go.
 */
function everythingInside(
  install: InstallConfig,
  { clusterNetwork, serviceNetwork }: ClusterNetworks,
): string {
  const given = install.proxy?.noProxy?.trim() ?? '';
  if (given === '*') return given;
  const entries = [
    '127.0.0.1',
    'localhost',
    '.svc',
    '.cluster.local',
    internalApiHost(install),
    ...serviceNetwork,
    ...install.networking.machineNetwork.map(({ cidr }) => cidr),
    ...clusterNetwork.map(({ cidr }) => cidr),
    ...given.split(',').map((entry) => entry.trim()),
  ];
  return [...new Set(entries)]
    .filter((entry) => entry !== '')
    .sort(byCodeUnit)
    .join(',');
}
