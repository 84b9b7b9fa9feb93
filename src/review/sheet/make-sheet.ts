import type { ListedCertificate } from '../certificates/certificate-list.js';
import type { InspectedCluster } from '../inspection/detect-cluster.js';
import type { InspectedUser } from '../inspection/inspect-config.js';
import type { PartContent } from '../node-parts.js';
import { bootRows, type BootedMedium } from './boot-rows.js';
import { clusterRows } from './cluster-rows.js';
import { configTexts } from './config-texts.js';
import { diskRows } from './disk-rows.js';
import { networkRows } from './network-rows.js';
import { objectRows, postInstallRows } from './object-rows.js';
import { serviceRows } from './service-rows.js';
import { sectionTitles, type Sheet, type SheetRow, type SheetSection } from './sheet.js';

/** Facts about a site. Everything but the config is optional. */
export interface SheetFacts {
  /** Files and units of the Ignition config, also of configs embedded in it. */
  readonly parts: readonly PartContent[];
  readonly cluster: InspectedCluster;
  readonly users: readonly InspectedUser[];
  /** Sorted by expiry. Absent if the certificates are placeholders. */
  readonly certificates?: readonly Pick<ListedCertificate, 'facts'>[];
  readonly medium?: BootedMedium;
  /** Size of the embedded config, as text. */
  readonly payload?: string;
}

/** The sheet of a site. Equal for a directory and for its media, except for facts that only one of them has. */
export function sheetOf({ parts, cluster, users, certificates, medium, payload }: SheetFacts): Sheet {
  const texts = configTexts(parts);
  const rowsOf: Readonly<Record<SheetSection['name'], readonly SheetRow[]>> = {
    machine: [],
    cluster: clusterRows(texts, cluster, users),
    disk: diskRows(texts),
    network: networkRows(texts, medium?.keyfiles),
    services: serviceRows(texts, medium),
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
