import { apiNamesOf, networkFacts } from '../../config/cluster-names.js';
import { nodeIdentityOf } from '../../node/control-plane/node-identity.js';
import { placeholderNode } from '../../control-plane/shared/placeholders.js';
import { defineAsset } from '../../graph/asset.js';
import type { ApiServerNames, Networks, NodeIdentity } from '../../control-plane/loops/loop-inputs.js';
import { networksOf } from '../../manifests/cluster-networks.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { clusterId } from '../identity/cluster-id.js';
import { network } from '../manifests/network.js';

/** The networks of the Network manifest, including edits by the user. */
export const networks = defineAsset({
  name: 'control-plane/networks',
  needs: { install: installConfig, network },
  make: ({ install, network }): Networks =>
    networkFacts({
      ...networksOf(network),
      machineNetwork: install.networking.machineNetwork.map(({ cidr }) => cidr),
    }),
});

/** External host name of the API, and the names of the cluster. */
export const apiServerNames = defineAsset({
  name: 'control-plane/api-server-names',
  needs: { install: installConfig, cluster: clusterId },
  make: ({ install, cluster }): ApiServerNames => apiNamesOf(install, cluster.infraId, []),
});

/** Name and address of the node if sno-config.yaml sets both; else placeholders that the node replaces. */
export const nodeIdentity = defineAsset({
  name: 'control-plane/node',
  needs: { sno: snoConfig },
  make: ({ sno }): { readonly isKnown: boolean; readonly identity: NodeIdentity } =>
    sno.hostname === undefined || sno.nodeIP === undefined
      ? { isKnown: false, identity: placeholderNode }
      : { isKnown: true, identity: nodeIdentityOf(sno.hostname, sno.nodeIP) },
});
