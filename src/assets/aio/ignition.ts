import { secretFile } from '../../core/output-file.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { type DownloadSettings, buildConfig } from '../../ignition/build-config.js';
import { checkConfig } from '../../ignition/check-config.js';
import { coreUser } from '../../ignition/core-user.js';
import { serializeConfig } from '../../ignition/serialize.js';
import type { NodeFile } from '../../ignition/types.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';
import { proxyOf } from '../../manifests/proxy-urls.js';
import {
  apiClients,
  apiServerCa,
  apiClientFiles,
  kubeletClientCa,
  publicPem,
} from '../../node/aio/api-client-files.js';
import { aioPaths } from '../../node/aio/aio-paths.js';
import { type NodeSystem, generatedFiles, remoteFile, scriptFiles } from '../../node/aio/node-system.js';
import { nodeUnits } from '../../node/aio/node-units.js';
import { authorityFiles, renewalList, renewals } from '../../node/aio/renewals.js';
import { aioPayload } from '../../node/payload.js';
import { proxyFiles } from '../../node/proxy-files.js';
import { pairOf } from '../../pki/rotator-pairs.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { nodeNetworkFiles } from '../manifests/machines/node-network.js';
import { nodeSettingFiles } from '../manifests/machines/node-settings.js';
import { proxy } from '../manifests/proxy.js';
import { aioRelease } from './aio-release.js';
import { aioBootWindow, clientPairs, rotatorPairs } from './certificates.js';
import { aioControlPlane } from './control-plane.js';
import { fetchedFiles } from './fetched-files.js';
import { nodeFacts } from './node-facts.js';
import { aioPayloadRegistry } from './payload.js';

/** The node except its control plane: scripts, units, kubelet, container runtime, pod network, kube-proxy, cluster DNS. */
export const nodeSystem = defineAsset({
  name: 'aio/node-system',
  needs: {
    install: installConfig,
    sno: snoConfig,
    facts: nodeFacts,
    release: aioRelease,
    fetched: fetchedFiles,
    window: aioBootWindow,
    proxy,
    settings: nodeSettingFiles,
    nodeNetwork: nodeNetworkFiles,
    registry: aioPayloadRegistry,
  },
  make: ({ proxy, settings, nodeNetwork, ...parents }, { templates }): NodeSystem => {
    const { sno, facts, fetched, registry } = parents;
    const payload = registry && aioPayload(registry, templates);
    return {
      files: [
        ...scriptFiles(templates),
        ...generatedFiles(parents, templates),
        ...settings.filter(({ path }) => path === '/etc/chrony.conf'),
        ...nodeNetwork,
        ...proxyFiles(proxyOf(proxy)),
        ...(payload?.files ?? []),
      ],
      fetched: fetched.map(remoteFile),
      units: [...nodeUnits(sno, facts, templates), ...(payload?.units ?? [])],
    };
  },
});

/**
 * Kubeconfigs and the certificate files they refer to, and two CAs: the API's, and that of kube-apiserver's client certificate
 * for the kubelet.
 */
const accessFiles = defineAsset({
  name: 'aio/access-files',
  needs: { clients: clientPairs, rotators: rotatorPairs },
  make: ({ clients, rotators }): readonly NodeFile[] => [
    publicPem(apiServerCa, pairOf(rotators, 'localhost-serving-signer').certPem),
    publicPem(kubeletClientCa, pairOf(rotators, 'kube-apiserver-to-kubelet-signer').certPem),
    // kube-proxy's container mounts only its own folder.
    publicPem(
      `${aioPaths.kubeProxy}/api-server-ca.crt`,
      pairOf(rotators, 'localhost-serving-signer').certPem,
    ),
    ...apiClients.flatMap((access) => apiClientFiles(access, clients[access.client])),
  ],
});

/** The complete Ignition config of an all-in-one node. */
export const aioIgnition = defineAsset({
  name: 'aio/ignition',
  needs: {
    install: installConfig,
    proxy,
    node: nodeSystem,
    controlPlane: aioControlPlane,
    access: accessFiles,
    rotators: rotatorPairs,
    clients: clientPairs,
  },
  tryMake: ({ install, proxy, node, controlPlane, access, ...pairs }) => {
    const laid = [...controlPlane.files, ...access];
    const list = renewals(pairs, laid);
    const config = buildConfig({
      files: [
        ...node.files,
        ...laid,
        ...authorityFiles(list, pairs.rotators),
        { path: aioPaths.renewals, mode: 0o600, contents: renewalList(list) },
      ],
      fetched: node.fetched,
      folders: privateFolders,
      units: node.units,
      users: [coreUser(install.sshKey)],
      transport: transportOf(proxyOf(proxy), install.additionalTrustBundle),
    });
    const text = serializeConfig(config);
    return resultOf({ text, fileCount: config.storage?.files?.length ?? 0 }, checkConfig(config));
  },
  files: ({ text }) => [secretFile('aio.ign', text)],
});

/** Folders with mode 0700; etcd requires it for its data directory. */
const privateFolders = [
  { path: aioPaths.etc, mode: 0o700 },
  { path: aioPaths.authorities, mode: 0o700 },
  { path: '/var/lib/etcd', mode: 0o700 },
];

/** Ignition downloads files in the initramfs, before the system's proxy and trust settings apply. */
function transportOf({ httpProxy, httpsProxy, noProxy }: ProxyUrls, trustBundle: string): DownloadSettings {
  const proxy = {
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    ...(noProxy !== undefined && { noProxy: noProxy.split(',') }),
  };
  return {
    ...((httpProxy ?? httpsProxy) !== undefined && { proxy }),
    ...(trustBundle !== '' && { authoritiesPem: trustBundle }),
  };
}
