import type { ListedCertificate } from '../certificates/certificate-list.js';
import type { InspectedCluster } from '../inspection/detect-cluster.js';
import type { Part } from '../node-parts.js';
import { bootRows, type BootedMedium } from './boot-rows.js';
import { clusterRows } from './cluster-rows.js';
import { configTexts } from './config-texts.js';
import { diskRows } from './disk-rows.js';
import { networkRows } from './network-rows.js';
import { objectRows, postInstallRows } from './object-rows.js';
import { serviceRows } from './service-rows.js';

/** A labelled fact. Contains no secret and is safe to print. */
export interface SheetRow {
  /** Stable name in kebab-case. Rows of one name, such as `interface`, differ in their labels. */
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}

/** Titles of the sections by name, in the order of the screen. */
export const sectionTitles = new Map([
  ['cluster', 'Cluster'],
  ['disk', 'Disk'],
  ['network', 'Network'],
  ['services', 'Services'],
  ['objects', 'Added objects'],
  ['post-install', 'After installation'],
  ['boot', 'Boot'],
] as const);

export interface SheetSection {
  readonly name: 'cluster' | 'disk' | 'network' | 'services' | 'objects' | 'post-install' | 'boot';
  readonly title: string;
  readonly rows: readonly SheetRow[];
}

/** The decisive values of a site, in the order of the screen. Unknown facts have no row, and empty sections are left out. */
export type Sheet = readonly SheetSection[];

/** What is known about a site. Everything but the config is optional. */
export interface SheetFacts {
  /** Files and units of the Ignition config, also of configs embedded in it. */
  readonly parts: readonly Part[];
  readonly cluster: InspectedCluster;
  /** Sorted by expiry. Absent if the certificates are placeholders. */
  readonly certificates?: readonly Pick<ListedCertificate, 'facts'>[];
  readonly medium?: BootedMedium;
  /** Size of the embedded config, as text. */
  readonly payload?: string;
}

/** The sheet of a site. Equal for a directory and for its media, except for facts that only one of them has. */
export function sheetOf({ parts, cluster, certificates, medium, payload }: SheetFacts): Sheet {
  const texts = configTexts(parts);
  const rowsOf: Readonly<Record<SheetSection['name'], readonly SheetRow[]>> = {
    cluster: clusterRows(texts, cluster),
    disk: diskRows(texts),
    network: networkRows(texts, medium?.keyfiles),
    services: serviceRows(texts),
    objects: objectRows(texts),
    'post-install': postInstallRows(texts),
    boot: bootRows(texts, {
      ...(certificates && { certificates }),
      ...(medium && { medium }),
      ...(payload !== undefined && { payload }),
    }),
  };
  const sections = [...sectionTitles].map(([name, title]) => ({ name, title, rows: rowsOf[name] }));
  return sections.filter(({ rows }) => rows.length > 0);
}
