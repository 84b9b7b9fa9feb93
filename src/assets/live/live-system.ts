import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import { networksOf } from '../../manifests/cluster-networks.js';
import { proxyOf } from '../../manifests/proxy-urls.js';
import { generatedFiles } from '../../node/live/cluster-files.js';
import { etcdSnapshot, etcdSnapshotFolder } from '../../node/live/etcd-snapshot.js';
import { nodeFilesListPath } from '../../node/live/live-catalog.js';
import type { LiveFacts } from '../../node/live/live-facts.js';
import { payloadLiveSystem } from '../../node/payload.js';
import { type LiveSystem, catalogFiles, catalogUnits } from '../../node/live/live-system.js';
import {
  type ReportFiles,
  laterNodeFiles,
  noReportFiles,
  reportTokenForm,
  reportFiles,
} from '../../config/report/report-files.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { snoConfig } from '../config/sno-config.js';
import { clusterId } from '../identity/cluster-id.js';
import { localDns } from '../manifests/machines/local-dns.js';
import { nodeNetworkFiles } from '../manifests/machines/node-network.js';
import { nodeSettingFiles } from '../manifests/machines/node-settings.js';
import { network } from '../manifests/network.js';
import { postInstallNodeFiles } from '../manifests/post-install.js';
import { proxy } from '../manifests/proxy.js';
import { bootWindow } from '../tls/certificates.js';
import { payloadRegistry } from '../tls/payload-registry.js';

/** Files and units that report installation stages, with the token of the site. */
const reporting = defineAsset({
  name: 'bootstrap/reporting',
  needs: { sno: snoConfig },
  make: ({ sno: { report } }, { valueSource, templates }): ReportFiles => {
    if (report === undefined) return noReportFiles;
    const token = valueSource.text('report-token', reportTokenForm.length, reportTokenForm.alphabet);
    return reportFiles(report, { token, templates });
  },
});

/** Description of the area that the Ignition config reserves for an etcd snapshot. */
export const etcdSnapshotFiles = defineAsset({
  name: 'bootstrap/etcd-snapshot',
  needs: { sno: snoConfig, cluster: clusterId, render: controlPlaneRender },
  make: ({ sno, cluster, render }): readonly NodeFile[] => [
    {
      path: `${etcdSnapshotFolder}/snapshot.json`,
      mode: 0o600,
      contents: `${JSON.stringify(etcdSnapshot({ ...sno, renderedBy: render.by }, cluster.uuid), undefined, 2)}\n`,
    },
  ],
});

/** Files and units of the self-installing live system: static scripts and units, and files generated for this cluster. */
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
    postInstall: postInstallNodeFiles,
    registry: payloadRegistry,
  },
  make: (
    { network, proxy, settings, nodeNetwork, dns, snapshot, reporting, postInstall, registry, ...parents },
    { environment, templates },
  ): LiveSystem => {
    const facts: LiveFacts = {
      ...parents,
      ...networksOf(network),
      proxy: proxyOf(proxy),
      ...(registry !== undefined && { registry }),
      ...(environment.invoker !== undefined && { invoker: environment.invoker }),
    };
    const payload = registry && payloadLiveSystem(registry, templates);
    const reporter = postInstall.nodeFiles === '' ? reporting.nodeFiles : laterNodeFiles(reporting.nodeFiles);
    return {
      files: [
        ...withNodeFiles(catalogFiles(facts, templates), reporter + postInstall.nodeFiles),
        ...generatedFiles(facts),
        ...snapshot,
        ...settings,
        ...nodeNetwork,
        ...dns.files,
        ...reporting.files,
        ...postInstall.files,
        ...(payload?.files ?? []),
      ],
      units: [...catalogUnits(templates), ...dns.units, ...reporting.units, ...(payload?.units ?? [])],
    };
  },
});

/** Appends lines to the list of files that are copied to the installed node. */
function withNodeFiles(files: readonly NodeFile[], lines: string): readonly NodeFile[] {
  return files.map((file) =>
    file.path === nodeFilesListPath ? { ...file, contents: `${String(file.contents)}${lines}` } : file,
  );
}
