import { defineAsset } from '../../graph/asset.js';
import { proxyOf } from '../../manifests/proxy-urls.js';
import { type NodeSystem, scriptFiles, generatedFiles, remoteFile } from '../../node/aio/node-system.js';
import { nodeUnits } from '../../node/aio/node-units.js';
import { proxyFiles } from '../../node/proxy-files.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { proxy } from '../manifests/proxy.js';
import { nodeNetworkFiles } from '../manifests/machines/node-network.js';
import { nodeSettingFiles } from '../manifests/machines/node-settings.js';
import { aioRelease } from './aio-release.js';
import { aioBootWindow } from './certificates.js';
import { fetchedFiles } from './fetched-files.js';
import { nodeFacts } from './node-facts.js';

/**
 * The node around the control plane: scripts, units, kubelet, container runtime, pod network, kube-proxy, cluster DNS.
 */
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
  },
  make: ({ proxy, settings, nodeNetwork, ...parents }, { templates }): NodeSystem => {
    const { sno, facts, fetched } = parents;
    return {
      files: [
        ...scriptFiles(templates),
        ...generatedFiles(parents, templates),
        ...settings.filter(({ path }) => path === '/etc/chrony.conf'),
        ...nodeNetwork,
        ...proxyFiles(proxyOf(proxy)),
      ],
      fetched: fetched.map(remoteFile),
      units: nodeUnits(sno, facts, templates),
    };
  },
});
