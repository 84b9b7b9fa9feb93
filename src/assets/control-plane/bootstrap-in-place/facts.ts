import { formatAddress, parseAddress, parseCidr } from '../../../formats/cidr.js';
import { defineAsset } from '../../../graph/asset.js';
import { clusterDomain } from '../../config/cluster-domain.js';
import { installConfig } from '../../config/install-config.js';
import { snoConfig } from '../../config/sno-config.js';
import { clusterId } from '../../identity/cluster-id.js';
import { network, networksOf } from '../../manifests/network.js';
import type { ApiServerNames, Networks, NodeIdentity } from '../inputs.js';
import { placeholderNode } from '../placeholders.js';

/** The networks as the Network manifest has them, edited or not. */
export const networks = defineAsset({
  name: 'control-plane/networks',
  needs: { install: installConfig, network },
  make: ({ install, network }): Networks => {
    const ofCluster = networksOf(network);
    const families = ofCluster.serviceNetwork.map((cidr) => parseCidr(cidr)?.family);
    return {
      ...ofCluster,
      machineNetwork: install.networking.machineNetwork.map(({ cidr }) => cidr),
      family: families[0] ?? 'IPv4',
      isDualStack: new Set(families).size > 1,
    };
  },
});

/** What the API is called from outside. */
export const apiServerNames = defineAsset({
  name: 'control-plane/api-server-names',
  needs: { install: installConfig, cluster: clusterId },
  make: ({ install, cluster }): ApiServerNames => ({
    externalHost: `api.${clusterDomain(install)}`,
    internalHost: `api-int.${clusterDomain(install)}`,
    clusterName: install.metadata.name,
    clusterDomain: clusterDomain(install),
    infraId: cluster.infraId,
    extraNames: [],
  }),
});

/** Who the node is when sno-config.yaml gives both its name and its address; else what the node fills in. */
export const nodeIdentity = defineAsset({
  name: 'control-plane/node',
  needs: { sno: snoConfig },
  make: ({ sno }): { readonly isKnown: boolean; readonly identity: NodeIdentity } =>
    sno.hostname === undefined || sno.nodeIP === undefined
      ? { isKnown: false, identity: placeholderNode }
      : { isKnown: true, identity: identityOf(sno.hostname, sno.nodeIP) },
});

/** The forms in which a node's name and address stand in rendered files. */
function identityOf(name: string, address: string): NodeIdentity {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw new Error('internal error: nodeIP passed the checks and is no address');
  const ip = formatAddress(parsed);
  return {
    name,
    environmentName: name.replaceAll(/[-.]/g, '_'),
    ip,
    urlHost: parsed.family === 'IPv6' ? `[${ip}]` : ip,
    endpointKey: Buffer.from(ip).toString('base64').replace(/=+$/, ''),
  };
}
