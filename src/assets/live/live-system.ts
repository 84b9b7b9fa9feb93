import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import { networksOf } from '../../manifests/cluster-networks.js';
import { proxyOf } from '../../manifests/proxy-urls.js';
import { generatedFiles } from '../../node/live/cluster-files.js';
import type { LiveFacts } from '../../node/live/live-facts.js';
import { nodeFilesListPath } from '../../node/live/live-catalog.js';
import { catalogFiles, catalogUnits, type LiveSystem } from '../../node/live/live-system.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { snoConfig } from '../config/sno-config.js';
import { localDns } from '../manifests/machines/local-dns.js';
import { nodeNetworkFiles } from '../manifests/machines/node-network.js';
import { nodeSettingFiles } from '../manifests/machines/node-settings.js';
import { network } from '../manifests/network.js';
import { proxy } from '../manifests/proxy.js';
import { bootWindow } from '../tls/certificates.js';
import { etcdSnapshotFiles } from './etcd-snapshot.js';
import { reporting } from './reporting.js';

/** Everything that makes a live system install itself: constant scripts and units, and the files made for this cluster. */
export const liveSystem = defineAsset({
  name: 'bootstrap/live-system',
  needs: {
    install: installConfig,
    sno: snoConfig,
    release,
    render: controlPlaneRender,
    window: bootWindow,
    network,
    proxy,
    settings: nodeSettingFiles,
    nodeNetwork: nodeNetworkFiles,
    dns: localDns,
    snapshot: etcdSnapshotFiles,
    reporting,
  },
  make: (
    { network, proxy, settings, nodeNetwork, dns, snapshot, reporting, ...parents },
    { environment, templates },
  ): LiveSystem => {
    const facts: LiveFacts = {
      ...parents,
      ...networksOf(network),
      proxy: proxyOf(proxy),
      ...(environment.invoker !== undefined && { invoker: environment.invoker }),
    };
    return {
      files: [
        ...withNodeFiles(catalogFiles(facts, templates), reporting.nodeFiles),
        ...generatedFiles(facts),
        ...snapshot,
        ...settings,
        ...nodeNetwork,
        ...dns.files,
        ...reporting.files,
      ],
      units: [...catalogUnits(templates), ...dns.units, ...reporting.units],
    };
  },
});

/** The list of what goes to the installed node, with lines that are added at its end. */
function withNodeFiles(files: readonly NodeFile[], lines: string): readonly NodeFile[] {
  return files.map((file) =>
    file.path === nodeFilesListPath ? { ...file, contents: `${String(file.contents)}${lines}` } : file,
  );
}
