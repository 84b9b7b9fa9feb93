import { join, relative } from 'node:path';

import { byCodeUnit } from '../../../core/compare.js';
import { subfolderNames } from '../../../disk/site-record/site-folder.js';
import { readRecordKey } from '../../../disk/site-record/record-key.js';
import { readSiteRecord } from '../../../disk/site-record/site-record.js';
import { withCommon, type ReadFleet } from '../../check-fleet.js';
import { accessWith } from '../../build/access-with-keys.js';
import { siteForecast } from '../../build/forecast-site.js';
import type { SiteOptions } from '../../build/site-options.js';
import { isMeant } from '../../read-fleet.js';
import { folderOnDisk } from '../../../run/sources/review-folder.js';
import type { AgeKeys } from '../../../formats/age.js';
import type { MadeSite, OutputsOf } from './compare-outputs.js';
import { siteOutputs } from './site-outputs.js';

/** Names of the sites that have outputs in a folder, sorted. */
export function sitesMadeIn(dir: string): readonly string[] {
  return subfolderNames(dir)
    .filter((name) => !name.startsWith('.'))
    .filter((name) => {
      const folder = join(dir, name);
      return folderOnDisk(folder).hasConfigs || readSiteRecord(folder) !== undefined;
    })
    .toSorted(byCodeUnit);
}

/** Source of the outputs of one side: a folder, or a dry run of a fleet. */
export type SideOrder =
  { readonly kind: 'folder'; readonly dir: string } | { readonly kind: 'fleet'; readonly order: SiteOptions };

/** Both sides in a form that can be sent to worker threads. */
export interface CompareOutputsOrder {
  /** Keys that decrypt encrypted outputs. */
  readonly keys: AgeKeys;
  readonly sides: readonly [before: SideOrder, after: SideOrder];
}

/** One side of a comparison: its sites and the source of their outputs. */
export interface OutputsSide {
  readonly sites: readonly string[];
  readonly order: SideOrder;
  /** For a fleet: returns the work item of a site. */
  readonly siteOf?: (name: string) => MadeSite;
}

export function sideOnDisk(dir: string, only: readonly string[]): OutputsSide {
  return {
    sites: sitesMadeIn(dir).filter((name) => isMeant(name, only)),
    order: { kind: 'folder', dir },
  };
}

/** Outputs that a fleet would create in an existing outputs folder, with the keys of the states in it. */
export function sideOfFleet(
  { fleet, rows }: ReadFleet,
  {
    dir,
    order,
    only,
  }: {
    readonly dir: string;
    readonly order: Omit<SiteOptions, 'recordKey'>;
    readonly only: readonly string[];
  },
): OutputsSide {
  const outputs = relative(order.dir, dir);
  const meant = new Map(rows.filter(({ name }) => isMeant(name, only)).map((row) => [row.name, row]));
  return {
    sites: [...meant.keys()],
    // Without the record key no fingerprint matches, so every site is rendered.
    order: { kind: 'fleet', order: { ...order, outputs, recordKey: readRecordKey(dir) ?? '' } },
    siteOf: (name) => {
      const row = meant.get(name);
      return row === undefined ? { name } : { name, row: withCommon(row, fleet) };
    },
  };
}

export function outputsOfSides({
  keys,
  sides: [before, after],
}: CompareOutputsOrder): readonly [OutputsOf, OutputsOf] {
  return [outputsOf(before, keys), outputsOf(after, keys)];
}

/** Problems of a site: those of `siteOutputs` for a folder, those of `siteForecast` for a fleet. */
function outputsOf(side: SideOrder, keys: AgeKeys): OutputsOf {
  if (side.kind === 'folder') {
    const access = accessWith(keys);
    return ({ name }) => siteOutputs(join(side.dir, name), access);
  }
  const made = siteForecast(side.order);
  return async ({ name, row }) => {
    if (row === undefined) throw new Error(`internal error: missing table row for site ${name}`);
    const { isCurrent, files = [], problems } = await made(row);
    return { files, problems, isAsOther: isCurrent };
  };
}
