import { secretFile } from '../../core/output-file.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { buildConfig, type Transport } from '../../ignition/build.js';
import { checkConfig } from '../../ignition/check.js';
import { coreUser } from '../../ignition/core-user.js';
import { serializeConfig } from '../../ignition/serialize.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';
import { proxyOf } from '../../manifests/proxy-urls.js';
import { aioPaths } from '../../node/aio/aio-paths.js';
import { authorityFiles, renewalList, renewals } from '../../node/aio/renewals.js';
import { installConfig } from '../config/install-config.js';
import { proxy } from '../manifests/proxy.js';
import { accessFiles } from './access-files.js';
import { clientPairs, rotatorPairs } from './certificates.js';
import { aioControlPlane } from './control-plane.js';
import { nodeSystem } from './node-system.js';

/** Everything a machine needs to become a node with its own control plane. */
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

/** Only root looks into these; etcd asks for its own to be closed. */
const privateFolders = [
  { path: aioPaths.etc, mode: 0o700 },
  { path: aioPaths.authorities, mode: 0o700 },
  { path: '/var/lib/etcd', mode: 0o700 },
];

/** The files to fetch are fetched in the initramfs, before the system's own settings are there. */
function transportOf({ httpProxy, httpsProxy, noProxy }: ProxyUrls, trustBundle: string): Transport {
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
