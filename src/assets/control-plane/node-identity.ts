import { apiNamesOf, networkFacts } from '../../config/cluster-names.js';
import { identityOf } from '../../node/control-plane/node-identity.js';
import { placeholderNode } from '../../control-plane/shared/placeholders.js';
import { defineAsset } from '../../graph/asset.js';
import type { ApiServerNames, Networks, NodeIdentity } from '../../control-plane/loops/loop-inputs.js';
import { networksOf } from '../../manifests/cluster-networks.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { clusterId } from '../identity/cluster-id.js';
import { network } from '../manifests/network.js';

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
