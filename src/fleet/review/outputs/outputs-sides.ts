import { join, relative } from 'node:path';

import { byCodeUnit } from '../../../core/compare.js';
import { foldersIn } from '../../../disk/site-record/site-folder.js';
import { recordKeyIn } from '../../../disk/site-record/record-key.js';
import { readSiteRecord } from '../../../disk/site-record/site-record.js';
import { withCommon, type ReadFleet } from '../../judge-fleet.js';
import { accessWith } from '../../making/access-with-keys.js';
import { siteForecast } from '../../making/forecast-site.js';
import type { SiteOrder } from '../../making/site-order.js';
import { isMeant } from '../../read-fleet.js';
import { folderOnDisk } from '../../../run/sources/review-folder.js';
import type { AgeKeys } from '../../../formats/age.js';
import type { MadeSite, OutputsOf } from './compare-made-sites.js';
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

/** Where the outputs of one side come from: they lie in a folder, or a fleet would make them. */
export type SideOrder =
  { readonly kind: 'folder'; readonly dir: string } | { readonly kind: 'fleet'; readonly order: SiteOrder };

/** How threads find both sides. */
export interface CompareOutputsOrder {
  /** What opens outputs that are encrypted. */
  readonly keys: AgeKeys;
  readonly sides: readonly [before: SideOrder, after: SideOrder];
}

/** One of two things to compare: which sites it has, and where the outputs of each come from. */
export interface OutputsSide {
  readonly sites: readonly string[];
  readonly order: SideOrder;
  /** Of a fleet: what its outputs are asked for by. */
  readonly siteOf?: (name: string) => MadeSite;
}

/** A folder with outputs of sites. */
export function sideOnDisk(dir: string, only: readonly string[]): OutputsSide {
  return {
    sites: sitesMadeIn(dir).filter((name) => isMeant(name, only)),
    order: { kind: 'folder', dir },
  };
}

/** What a fleet would make in a folder with outputs of its sites, by the keys that lie there. */
export function sideOfFleet(
  { fleet, rows }: ReadFleet,
  {
    dir,
    order,
    only,
  }: { readonly dir: string; readonly order: Omit<SiteOrder, 'recordKey'>; readonly only: readonly string[] },
): OutputsSide {
  const outputs = relative(order.dir, dir);
  const meant = new Map(rows.filter(({ name }) => isMeant(name, only)).map((row) => [row.name, row]));
  return {
    sites: [...meant.keys()],
    // Without the key no record can be compared, and every site is made.
    order: { kind: 'fleet', order: { ...order, outputs, recordKey: recordKeyIn(dir) ?? '' } },
    siteOf: (name) => {
      const row = meant.get(name);
      return row === undefined ? { name } : { name, row: withCommon(row, fleet) };
    },
  };
}

/** Gives the outputs of sites on both sides. */
export function outputsOfSides({
  keys,
  sides: [before, after],
}: CompareOutputsOrder): readonly [OutputsOf, OutputsOf] {
  return [outputsOf(before, keys), outputsOf(after, keys)];
}

/** Problems of a site: those of `siteOutputs` in a folder, those of `siteForecast` of a fleet. */
function outputsOf(side: SideOrder, keys: AgeKeys): OutputsOf {
  if (side.kind === 'folder') {
    const access = accessWith(keys);
    return ({ name }) => siteOutputs(join(side.dir, name), access);
  }
  const made = siteForecast(side.order);
  return async ({ name, row }) => {
    if (row === undefined) throw new Error(`internal error: there is no row of the site ${name}`);
    const { isCurrent, files = [], problems } = await made(row);
    return { files, problems, isAsOther: isCurrent };
  };
}
