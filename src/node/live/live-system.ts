import { clusterDomain } from '../../config/cluster-domain.js';
import { template } from '../../formats/template.js';
import type { Templates } from '../../graph/context.js';
import type { NodeFile, IgnitionUnit } from '../../ignition/types.js';
import {
  catalog,
  modeOf,
  isAppended,
  type LivePlaceholder,
  type CatalogEntry,
  templateOf,
} from './live-catalog.js';
import type { LiveFacts } from './live-facts.js';

/** The files and units of the live system except manifests, certificates and kubeconfigs. */
export interface LiveSystem {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
}

/** The catalog's files, with placeholders replaced. */
export function catalogFiles(facts: LiveFacts, templates: Templates): readonly NodeFile[] {
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

function holeValues({ install, window }: LiveFacts): Readonly<Record<LivePlaceholder, string>> {
  return {
    clusterDomain: clusterDomain(install),
    bootableUntil: `${window.bootableUntil.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
}

export function catalogUnits(templates: Templates): readonly IgnitionUnit[] {
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
  return templates.text(`live/${path}`);
}
