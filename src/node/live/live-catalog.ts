/** A constant file of `templates/live`, or a unit of the operating system that is only enabled. */
export type CatalogEntry =
  | { readonly kind: 'file'; readonly path: string; readonly holes?: readonly LivePlaceholder[] }
  | { readonly kind: 'unit'; readonly name: string; readonly enabled: boolean }
  | { readonly kind: 'drop-in'; readonly unit: string; readonly name: string }
  | { readonly kind: 'system-unit'; readonly name: string };

/** Placeholders in templates of the live system. */
export type LivePlaceholder = 'bootableUntil' | 'clusterDomain';

/** Mode of a live system file, by its path on the node. Source: openshift/installer pkg/asset/ignition/bootstrap */
export function modeOf(path: string): number {
  const [folder = '', name = ''] = path.split('/').slice(-2);
  if (['bin', 'dispatcher.d', 'system-generators'].includes(folder)) return 0o555;
  return ['motd', 'registries.conf'].includes(name) ? 0o644 : 0o600;
}

/** Whether the contents are appended to a file of the operating system. */
export function isAppended(path: string): boolean {
  return path === '/etc/motd';
}

/** Path of an entry's template below `templates/live`; undefined for a unit without one. */
export function templateOf(entry: CatalogEntry): string | undefined {
  switch (entry.kind) {
    case 'file':
      return entry.path.slice(1) + (entry.holes ? '.tmpl' : '');
    case 'unit':
      return `etc/systemd/system/${entry.name}`;
    case 'drop-in':
      return `etc/systemd/system/${entry.unit}.d/${entry.name}`;
    case 'system-unit':
      return undefined;
  }
}

/** List of the files that are copied to the installed node. */
export const nodeFilesListPath = '/opt/openshift/bootstrap-in-place/node-files.list';

/**
 * All constant files of the live system, the same for every release and config; the scripts decide on the node which of them
 * they need. The order is that of the Ignition config: add rows, but do not reorder them.
 */
export const catalog: readonly CatalogEntry[] = [
  { kind: 'file', path: '/etc/motd', holes: ['clusterDomain', 'bootableUntil'] },
  { kind: 'file', path: '/etc/systemd/system-generators/node-image-overlay-generator' },
  carried('bootstrap-in-place-post-reboot.sh'),
  carried('master-update.fcc'),
  carried('node-files.list'),
  carried('sno-etcd-restore.sh'),
  carried('sno-node-cleanup.sh'),
  carried('units/bootkube.service'),
  carried('units/sno-etcd-restore.service'),
  { kind: 'file', path: '/opt/openshift/etcd-snapshot/snapshot.db' },
  script('approve-csr.sh'),
  script('bootkube-control-plane.sh'),
  script('bootkube-stages.sh'),
  script('bootkube-tools.sh'),
  script('bootkube.sh'),
  script('bootstrap-cluster-gather.sh'),
  script('bootstrap-in-place.sh'),
  script('bootstrap-service-record.sh'),
  script('bootstrap-verify-api-server-urls.sh'),
  script('chown-gatewayd-key.sh'),
  script('crio-configure.sh'),
  script('install-to-disk.sh'),
  script('installer-gather.sh'),
  script('installer-masters-gather.sh'),
  script('kubelet-pause-image.sh'),
  script('kubelet.sh'),
  script('node-image-overlay.sh'),
  script('node-image-pull.sh'),
  script('release-image-download.sh'),
  script('release-image.sh'),
  script('report-progress.sh'),
  script('sno-checks.sh'),
  script('sno-common.sh'),
  script('sno-control-plane.sh'),
  script('sno-csr.sh'),
  script('sno-etcd.sh'),
  script('sno-fetch-images.sh'),
  script('sno-gather.sh'),
  script('sno-kubelet-client.sh'),
  script('sno-master-ignition.sh'),
  script('sno-preflight-disk.sh'),
  script('sno-preflight.sh'),
  script('sno-redact.sh'),
  script('sno-request-names.sh'),
  script('sno-root-device.sh'),
  script('sno-saved-partitions.sh'),
  enabled('approve-csr.service'),
  pulledIn('bootkube.service'),
  enabled('chown-gatewayd-key.service'),
  pulledIn('crio-configure.service'),
  enabled('install-to-disk.service'),
  enabled('kubelet.service'),
  pulledIn('node-image-overlay.service'),
  pulledIn('node-image-overlay.target'),
  pulledIn('node-image-pull.service'),
  enabled('progress.service'),
  pulledIn('release-image.service'),
  pulledIn('sno-fetch-images.service'),
  pulledIn('sno-preflight.service'),
  { kind: 'drop-in', unit: 'systemd-journal-gatewayd.service', name: 'certs.conf' },
  { kind: 'system-unit', name: 'systemd-journal-gatewayd.socket' },
  pulledIn('var-ostreecontainer.mount'),
  { kind: 'drop-in', unit: 'zincati.service', name: '50-no-updates.conf' },
];

function script(name: string): CatalogEntry {
  return { kind: 'file', path: `/usr/local/bin/${name}` };
}

/** A file for the installed node. */
function carried(name: string): CatalogEntry {
  return { kind: 'file', path: `/opt/openshift/bootstrap-in-place/${name}` };
}

/** An enabled unit. */
function enabled(name: string): CatalogEntry {
  return { kind: 'unit', name, enabled: true };
}

/** A unit that another unit starts. */
function pulledIn(name: string): CatalogEntry {
  return { kind: 'unit', name, enabled: false };
}
