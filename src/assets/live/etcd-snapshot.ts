import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import { etcdSnapshotFolder, etcdSnapshot } from '../../node/live/etcd-snapshot.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { snoConfig } from '../config/sno-config.js';
import { clusterId } from '../identity/cluster-id.js';

/** The place for the snapshot that the Ignition config reserves: its description. */
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
