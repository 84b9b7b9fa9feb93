import { template } from '../../formats/template.js';
import { defineAsset } from '../../graph/asset.js';
import type { Templates } from '../../graph/context.js';
import type { IgnitionUnit, NodeFile } from '../../ignition/types.js';
import { clusterDomain } from '../config/cluster-domain.js';
import { installConfig } from '../config/install-config.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { release } from '../config/release.js';
import { snoConfig } from '../config/sno-config.js';
import { localDns } from '../manifests/local-dns.js';
import { network, networksOf } from '../manifests/network.js';
import { nodeSettingFiles } from '../manifests/node-settings.js';
import { proxy, proxyOf } from '../manifests/proxy.js';
import { templateText } from '../template-text.js';
import { bootWindow } from '../tls/assets.js';
import { catalog, isAppended, modeOf, templateOf, type CatalogEntry, type LiveHole } from './catalog.js';
import { etcdSnapshotFiles } from './etcd-snapshot.js';
import { generatedFiles } from './generated-files.js';
import type { LiveFacts } from './live-facts.js';

/** The files and units of the live system, but for manifests, certificates and kubeconfigs. */
export interface LiveSystem {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
}

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
    dns: localDns,
    snapshot: etcdSnapshotFiles,
  },
  make: ({ network, proxy, settings, dns, snapshot, ...parents }, { environment, templates }): LiveSystem => {
    const facts: LiveFacts = {
      ...parents,
      ...networksOf(network),
      proxy: proxyOf(proxy),
      ...(environment.invoker !== undefined && { invoker: environment.invoker }),
    };
    return {
      files: [
        ...catalogFiles(facts, templates),
        ...generatedFiles(facts),
        ...snapshot,
        ...settings,
        ...dns.files,
      ],
      units: [...catalogUnits(templates), ...dns.units],
    };
  },
});

function catalogFiles(facts: LiveFacts, templates: Templates): readonly NodeFile[] {
  return catalog.flatMap((entry) => {
    if (entry.kind !== 'file') return [];
    const text = textOf(entry, templates);
    return [
      {
        path: entry.path,
        mode: modeOf(entry.path),
        contents: entry.holes ? template(text, entry.holes).fill(holeValues(facts)) : text,
        ...(isAppended(entry.path) && { append: true }),
      },
    ];
  });
}

function holeValues({ install, window }: LiveFacts): Readonly<Record<LiveHole, string>> {
  return {
    clusterDomain: clusterDomain(install),
    bootableUntil: `${window.bootableUntil.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
}

function catalogUnits(templates: Templates): readonly IgnitionUnit[] {
  return catalog.flatMap((entry): readonly IgnitionUnit[] => {
    switch (entry.kind) {
      case 'file':
        return [];
      case 'unit':
        return [
          { name: entry.name, ...(entry.enabled && { enabled: true }), contents: textOf(entry, templates) },
        ];
      case 'drop-in':
        return [{ name: entry.unit, dropins: [{ name: entry.name, contents: textOf(entry, templates) }] }];
      case 'system-unit':
        return [{ name: entry.name, enabled: true }];
    }
  });
}

function textOf(entry: CatalogEntry, templates: Templates): string {
  const path = templateOf(entry);
  if (path === undefined) throw new Error(`internal error: ${entry.kind} has no text`);
  return templateText(templates, `live/${path}`);
}
