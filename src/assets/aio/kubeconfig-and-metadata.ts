import { publicFile, secretFile } from '../../core/output-file.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { defineAsset } from '../../graph/asset.js';
import { pairOf } from '../../pki/rotator-pairs.js';
import { embeddedKubeconfig } from '../../pki/embedded-kubeconfig.js';
import { installConfig } from '../config/install-config.js';
import { clusterId } from '../identity/cluster-id.js';
import { aioRelease } from './aio-release.js';
import { aioBootWindow, clientPairs, rotatorPairs } from './certificates.js';
import { nodeFacts } from './node-facts.js';

/**
 * The administrator's kubeconfig. The server is the node's address if sno-config.yaml sets one, else the public API name. It is
 * valid as long as the CAs, independent of renewals on the node.
 */
export const aioKubeconfig = defineAsset({
  name: 'aio/kubeconfig',
  needs: { facts: nodeFacts, clients: clientPairs, rotators: rotatorPairs },
  make: ({ facts, clients, rotators }) => {
    const { nodeAddress, apiServer } = facts;
    const host = nodeAddress?.includes(':') === true ? `[${nodeAddress}]` : nodeAddress;
    const authorities = [
      'localhost-serving-signer',
      'service-network-serving-signer',
      'loadbalancer-serving-signer',
    ];
    return embeddedKubeconfig('admin', {
      cluster: apiServer.clusterName,
      server: `https://${host ?? apiServer.externalHost}:6443`,
      ca: authorities.map((name) => pairOf(rotators, name).certPem).join(''),
      client: clients['admin-client'],
    });
  },
  files: (text) => [secretFile('auth/kubeconfig', text)],
});

/** metadata.json for other programs, with openshift-install's field names where they exist. */
export const aioMetadata = defineAsset({
  name: 'aio/metadata',
  needs: {
    install: installConfig,
    id: clusterId,
    window: aioBootWindow,
    facts: nodeFacts,
    release: aioRelease,
  },
  make: ({ install, id, window, facts, release }) => ({
    clusterName: install.metadata.name,
    clusterID: id.uuid,
    infraID: id.infraId,
    nodeName: facts.nodeName,
    kubernetesMinor: release.versions.kubernetesMinor,
    certificatesNotBefore: rfc3339(window.notBefore),
    bootableUntil: rfc3339(window.bootableUntil),
  }),
  files: (value) => [publicFile('metadata.json', `${JSON.stringify(value, null, 2)}\n`)],
});
