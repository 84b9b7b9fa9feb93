import { defineAsset } from '../../../graph/asset.js';
import type { NodeFile } from '../../../ignition/types.js';
import { machineConfigManifest } from '../../../manifests/machine-config-files.js';
import { networkFiles } from '../../../node/network-files.js';
import { networkKeyfiles } from '../../config/network-keyfiles.js';
import { snoConfig } from '../../config/sno-config.js';
import { defineManifests } from '../family.js';

/** The node's NetworkManager files, shared by the live system, the installed node and the all-in-one node. */
export const nodeNetworkFiles = defineAsset({
  name: 'manifests/node-network-files',
  needs: { sno: snoConfig, given: networkKeyfiles },
  make: ({ sno: { network = {} }, given }): readonly NodeFile[] => networkFiles(network, given),
});

/** The MachineConfig of the network files on the installed node. */
export const nodeNetworkConfig = defineManifests({
  name: 'manifests/node-network-config',
  needs: { files: nodeNetworkFiles },
  make: ({ files }) =>
    files.length === 0 ? [] : [machineConfigManifest('master', '99-master-network', { files })],
  // The live system has the same files.
  alsoElsewhere: () => [{ path: ['spec', 'config'], input: 'network in sno-config.yaml' }],
});
