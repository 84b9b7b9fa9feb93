import { networkFacts, apiNamesOf } from '../../config/cluster-names.js';
import { defineAsset } from '../../graph/asset.js';
import { type NodeFacts, shortest, dnsAddress } from '../../node/aio/node-facts.js';
import { podSubnets } from '../../node/aio/pod-subnets.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { clusterId } from '../identity/cluster-id.js';

/** The node's name, and its address if sno-config.yaml sets one. */
export const nodeFacts = defineAsset({
  name: 'aio/node-facts',
  needs: { install: installConfig, sno: snoConfig, cluster: clusterId },
  make: ({ install, sno, cluster }): NodeFacts => {
    const nodeName = sno.hostname ?? install.metadata.name;
    const nodeAddress = sno.nodeIP === undefined ? undefined : shortest(sno.nodeIP);
    return {
      nodeName,
      ...(nodeAddress !== undefined && { nodeAddress }),
      networks: networkFacts({
        clusterNetwork: install.networking.clusterNetwork,
        serviceNetwork: install.networking.serviceNetwork,
        machineNetwork: install.networking.machineNetwork.map(({ cidr }) => cidr),
      }),
      apiServer: apiNamesOf(install, cluster.infraId, [
        nodeName,
        ...(nodeAddress === undefined ? [] : [nodeAddress]),
      ]),
      podSubnets: podSubnets(install.networking.clusterNetwork),
      dnsAddresses: install.networking.serviceNetwork.map(dnsAddress),
    };
  },
});
