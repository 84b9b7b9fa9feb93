import { join, relative } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { foldersIn } from '../../disk/site-record/site-folder.js';
import { recordKeyIn } from '../../disk/site-record/record-key.js';
import { readSiteRecord } from '../../disk/site-record/site-record.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { withCommon, type ReadFleet } from '../../fleet/judge-fleet.js';
import { siteForecast } from '../../fleet/making/forecast-site.js';
import type { SiteOrder } from '../../fleet/making/site-order.js';
import { isMeant } from '../../fleet/read-fleet.js';
import { folderOnDisk } from '../../sources/review-folder.js';
import type { OutputsSide } from './compare-made-sites.js';
import { siteOutputs } from './site-outputs.js';

/** The sites whose outputs lie in a folder, by name. */
export function sitesMadeIn(dir: string): readonly string[] {
  return foldersIn(dir)
    .filter((name) => !name.startsWith('.'))
    .filter((name) => {
      const folder = join(dir, name);
      return folderOnDisk(folder).hasConfigs || readSiteRecord(folder) !== undefined;
    })
    .toSorted(byCodeUnit);
}

/** A folder with outputs of sites. Problems of a site: those of `siteOutputs`. */
export function sideOnDisk(dir: string, access: StateAccess, only: readonly string[]): OutputsSide {
  return {
    sites: sitesMadeIn(dir).filter((name) => isMeant(name, only)),
    outputsOf: (site) => siteOutputs(join(dir, site), access),
  };
}

/**
 * What a fleet would make in a folder with outputs of its sites, by the keys that lie there. A site that it would leave as it is is not made.
 * Problems of a site: those of `siteForecast`.
 */
export function sideOfFleet(
  { fleet, rows }: ReadFleet,
  {
    dir,
    order,
    only,
  }: { readonly dir: string; readonly order: Omit<SiteOrder, 'recordKey'>; readonly only: readonly string[] },
): OutputsSide {
  const outputs = relative(order.dir, dir);
  // Without the key no record can be compared, and every site is made.
  const made = siteForecast({ ...order, outputs, recordKey: recordKeyIn(dir) ?? '' });
  const meant = new Map(
    rows.filter(({ name }) => isMeant(name, only)).map((row) => [row.name, withCommon(row, fleet)]),
  );
  return {
    sites: [...meant.keys()],
    outputsOf: async (site) => {
      const row = meant.get(site);
      if (row === undefined) throw new Error(`internal error: there is no site ${site}`);
      const { isCurrent, files = [], problems } = await made(row);
      return { files, problems, isAsOther: isCurrent };
    },
  };
}
