import { join, relative } from 'node:path';

import { byCodeUnit } from '../../../core/compare.js';
import { subfolderNames } from '../../../disk/site-record/site-folder.js';
import { readRecordKey } from '../../../disk/site-record/record-key.js';
import { readSiteRecord } from '../../../disk/site-record/site-record.js';
import { withFleetVariables, type LoadedFleet } from '../../table/check-fleet.js';
import { stateAccessWithKeys } from '../../build/access-with-keys.js';
import { siteDryRun } from '../../build/forecast-site.js';
import type { SiteOptions } from '../../build/site-options.js';
import { folderOnDisk } from '../../../run/sources/review-folder.js';
import type { AgeKeys } from '../../../formats/age.js';
import type { ComparedItem, OutputsReader } from './compare-outputs.js';
import { readSiteOutputs } from './site-outputs.js';

/** Names of the sites that have outputs in a folder, sorted. */
export function sitesWithOutputs(dir: string): readonly string[] {
  return subfolderNames(dir)
    .filter((name) => !name.startsWith('.'))
    .filter((name) => {
      const folder = join(dir, name);
      return folderOnDisk(folder).hasConfigs || readSiteRecord(folder) !== undefined;
    })
    .toSorted(byCodeUnit);
}

/** Source of the outputs of one side: a folder, or a dry run of a fleet. */
export type SideSource =
  { readonly kind: 'folder'; readonly dir: string } | { readonly kind: 'fleet'; readonly order: SiteOptions };

/** Both sides in a form that can be sent to worker threads. */
export interface CompareOutputsOptions {
  /** Keys that decrypt encrypted outputs. */
  readonly keys: AgeKeys;
  readonly sides: readonly [before: SideSource, after: SideSource];
}

/** One side of a comparison: its sites and the source of their outputs. */
export interface OutputsSide {
  readonly sites: readonly string[];
  readonly order: SideSource;
  /** For a fleet: returns the work item of a site. */
  readonly siteOf?: (name: string) => ComparedItem;
}

export function sideOnDisk(dir: string, isSelected: (site: string) => boolean): OutputsSide {
  return {
    sites: sitesWithOutputs(dir).filter(isSelected),
    order: { kind: 'folder', dir },
  };
}

/** Outputs that a fleet would create in an existing outputs folder, with the keys of the states in it. */
export function sideOfFleet(
  { fleet, rows }: LoadedFleet,
  {
    dir,
    order,
    isSelected,
  }: {
    readonly dir: string;
    readonly order: Omit<SiteOptions, 'recordKey'>;
    readonly isSelected: (site: string) => boolean;
  },
): OutputsSide {
  const outputs = relative(order.dir, dir);
  const selected = new Map(rows.filter(({ name }) => isSelected(name)).map((row) => [row.name, row]));
  return {
    sites: [...selected.keys()],
    // Without the record key no fingerprint matches, so every site is rendered.
    order: { kind: 'fleet', order: { ...order, outputs, recordKey: readRecordKey(dir) ?? '' } },
    siteOf: (name) => {
      const row = selected.get(name);
      return row === undefined ? { name } : { name, row: withFleetVariables(row, fleet) };
    },
  };
}

export function outputsReaders({
  keys,
  sides: [before, after],
}: CompareOutputsOptions): readonly [OutputsReader, OutputsReader] {
  return [outputsOf(before, keys), outputsOf(after, keys)];
}

/** Problems of a site: those of `readSiteOutputs` for a folder, those of `siteDryRun` for a fleet. */
function outputsOf(side: SideSource, keys: AgeKeys): OutputsReader {
  if (side.kind === 'folder') {
    const access = stateAccessWithKeys(keys);
    return ({ name }) => readSiteOutputs(join(side.dir, name), access);
  }
  const made = siteDryRun(side.order);
  return async ({ name, row }) => {
    if (row === undefined) throw new Error(`internal error: missing table row for site ${name}`);
    const { isCurrent, files = [], problems } = await made(row);
    return { files, problems, isAsOther: isCurrent };
  };
}
