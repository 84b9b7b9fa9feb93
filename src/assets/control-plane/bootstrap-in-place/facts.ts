import { formatAddress, parseAddress } from '../../../formats/cidr.js';
import { defineAsset } from '../../../graph/asset.js';
import { installConfig } from '../../config/install-config.js';
import { snoConfig } from '../../config/sno-config.js';
import { clusterId } from '../../identity/cluster-id.js';
import { network, networksOf } from '../../manifests/network.js';
import { apiNamesOf, environmentNameOf, networkFacts } from '../cluster-facts.js';
import type { ApiServerNames, Networks, NodeIdentity } from '../inputs.js';
import { placeholderNode } from '../placeholders.js';

/** The networks as the Network manifest has them, edited or not. */
export const networks = defineAsset({
  name: 'control-plane/networks',
  needs: { install: installConfig, network },
  make: ({ install, network }): Networks =>
    networkFacts({
      ...networksOf(network),
      machineNetwork: install.networking.machineNetwork.map(({ cidr }) => cidr),
    }),
});

/** What the API is called from outside. */
export const apiServerNames = defineAsset({
  name: 'control-plane/api-server-names',
  needs: { install: installConfig, cluster: clusterId },
  make: ({ install, cluster }): ApiServerNames => apiNamesOf(install, cluster.infraId, []),
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
    environmentName: environmentNameOf(name),
    ip,
    urlHost: parsed.family === 'IPv6' ? `[${ip}]` : ip,
    endpointKey: Buffer.from(ip).toString('base64').replace(/=+$/, ''),
  };
}
