import { createHash } from 'node:crypto';

import { byCodeUnit } from '../../../src/core/compare.js';
import { problemsOf, type Result } from '../../../src/core/result.js';
import type { AssetFolder } from '../../../src/manifests/enrich/asset-folder.js';
import { enrich, type EnrichedConfig } from '../../../src/manifests/enrich/enrich.js';
import { masterUpdate } from '../../../src/manifests/enrich/master-update.js';
import { nodeFilesList } from '../../../src/manifests/enrich/node-files-list.js';
import { showProblem } from '../../support/show-problem.js';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder in memory; problems show sources by name. */
export function folderOf(files: Files): AssetFolder {
  return {
    pathOf: (source) => source,
    read: (source) => {
      const found = files[source];
      return found === undefined ? { kind: 'absent' } : { kind: 'file', bytes: Buffer.from(found) };
    },
    list: (folder) => {
      const names = Object.keys(files).flatMap((path) =>
        path.startsWith(folder) ? [path.slice(folder.length)] : [],
      );
      return names.length === 0 ? { kind: 'absent' } : { kind: 'folder', names: names.toSorted(byCodeUnit) };
    },
  };
}

/** A database of one sector followed by its SHA-256, as `etcdctl snapshot save` writes it. */
export const sealedSnapshot = seal(Buffer.alloc(512, 'etcd'));

function seal(database: Buffer): Buffer {
  return Buffer.concat([database, createHash('sha256').update(database).digest()]);
}

/** The description that the step on the node writes, without hash and size. */
export const description = {
  kind: 'EtcdSnapshot',
  node: { hostname: 'sno1', address: '192.168.126.10' },
  member: {
    name: 'etcd-sno1',
    peerURL: 'https://192.168.126.10:2380',
    initialClusterToken: 'etcd-cluster',
    dataDir: '/var/lib/etcd',
  },
  snapshot: { file: 'snapshot.db.gz', sha256: null, revision: 4711, etcdImage: 'example.com/ocp/etcd:test' },
};

export const unitText = '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n';

export const list = `# fate mode source path
keep   0600 kubernetes/etcd-member-pod.yaml          /etc/kubernetes/manifests/etcd-pod.yaml
keep   0644 openshift/bootstrap-in-place/hostname    /etc/hostname
keep   -    -                                        /var/lib/etcd/

remove 0600 openshift/tls/                           /etc/kubernetes/bootstrap-secrets/
remove 0600 openshift/etcd-snapshot/snapshot.db.gz   /opt/openshift/etcd-snapshot/snapshot.db.gz
remove 0600 openshift/etcd-snapshot/snapshot.json    /opt/openshift/etcd-snapshot/snapshot.json
remove 0600 ?openshift/log-bundle-bootstrap.tar.gz   /var/log/log-bundle-bootstrap.tar.gz
remove 0600 ?kubernetes/static-pod-resources/        /etc/kubernetes/static-pod-resources/
remove preset bootkube.service                       /etc/systemd/system-preset/20-ignition.preset
last   unit openshift/units/bootkube.service         /etc/systemd/system/bootkube.service
last   0555 bin/post-reboot.sh                       /usr/local/bin/post-reboot.sh
`;

export const document = {
  variant: 'fcos',
  version: '1.1.0',
  ignition: { config: { merge: [{ local: 'openshift/original-master.ign' }] } },
  storage: { directories: [{ path: '/var/lib/etcd', mode: 0o700 }], files: [] },
  systemd: { units: [] },
};

/** All files of the list above, before the step on the node. */
export const sound: Files = {
  [nodeFilesList]: list,
  [masterUpdate]: JSON.stringify(document),
  'kubernetes/etcd-member-pod.yaml': 'kind: Pod\n',
  'openshift/tls/ca.crt': 'a certificate\n',
  'openshift/tls/deep/ca.key': 'a key\n',
  'openshift/etcd-snapshot/snapshot.db': sealedSnapshot,
  'openshift/etcd-snapshot/snapshot.json': JSON.stringify(description),
  'openshift/units/bootkube.service': unitText,
  'bin/post-reboot.sh': '#!/bin/bash\n',
};

/** A response of the machine-config server. */
export const master = {
  ignition: { version: '3.2.0' },
  storage: { files: [{ path: '/var/lib/kubelet/config.json', contents: { source: 'data:,%7B%7D' } }] },
  systemd: { units: [{ name: 'kubelet.service', enabled: true }] },
};

export function enrichGiven(files: Files, input: unknown = master): Result<EnrichedConfig> {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return enrich(folderOf(files), { name: 'master.ign', bytes: Buffer.from(text) });
}

export function shown(result: Result<unknown>): readonly string[] {
  return problemsOf(result).map(showProblem);
}
