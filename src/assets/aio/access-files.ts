import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import {
  publicPem,
  apiAuthority,
  kubeletClientAuthority,
  accesses,
  filesOf,
} from '../../node/aio/access-files.js';
import { aioPaths } from '../../node/aio/aio-paths.js';
import { pairOf } from '../../pki/rotator-pairs.js';
import { clientPairs, rotatorPairs } from './certificates.js';

/**
 * Kubeconfigs over files, the pairs they name, and the authorities that the node needs: the API's, and that of the API
 * server as a client of the kubelet.
 */
export const accessFiles = defineAsset({
  name: 'aio/access-files',
  needs: { clients: clientPairs, rotators: rotatorPairs },
  make: ({ clients, rotators }): readonly NodeFile[] => [
    publicPem(apiAuthority, pairOf(rotators, 'localhost-serving-signer').certPem),
    publicPem(kubeletClientAuthority, pairOf(rotators, 'kube-apiserver-to-kubelet-signer').certPem),
    // The container of kube-proxy sees its own folder only.
    publicPem(
      `${aioPaths.kubeProxy}/api-server-ca.crt`,
      pairOf(rotators, 'localhost-serving-signer').certPem,
    ),
    ...accesses.flatMap((access) => filesOf(access, clients[access.client])),
  ],
});
