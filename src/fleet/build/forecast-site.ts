import { posix } from 'node:path';

import type { OutputFile } from '../../core/output-file.js';
import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { templatesFrom } from '../../disk/own/templates.js';
import { forecast } from '../../run/run.js';
import { siteFiles } from '../site-files.js';
import { problemsOfSite } from '../site-problems.js';
import type { SiteRow } from '../site-table.js';
import { accessWith } from './access-with-keys.js';
import { filesOf } from './site-file-options.js';
import { inOutputs, isOfOutputs, requestOf } from './build-site.js';
import type { SiteOptions } from './site-options.js';
import { siteFreshness } from './site-freshness.js';

/** Dry-run result of `fleet create` for one site. */
export interface ForecastSite {
  /** Whether the outputs are up to date. This is determined without opening the state or creating outputs. */
  readonly isCurrent: boolean;
  /** Decrypted outputs; absent if the site is current or cannot be created. */
  readonly files?: readonly OutputFile[];
  /** Each at the place where its value was written. */
  readonly problems: readonly Problem[];
}

/** Returns a function that computes the outputs of a site with the keys of its state. Writes nothing. Problems: those of `run`. */
export function siteForecast(order: SiteOptions): (row: SiteRow) => Promise<ForecastSite> {
  const files = filesOf(order);
  const access = accessWith(order.keys);
  const templates = templatesFrom(order.templatesFolder);
  return async (row) => {
    const site = siteFiles(files, row);
    const standing = siteFreshness(order, { name: row.name, inputs: site.inputs }, { mayRenew: false });
    if (standing.is === 'current') return { isCurrent: true, problems: [] };
    const request = requestOf(order, { row, site, access, templates }, neverRecorded);
    const made = await forecast(request);
    const found = problemsOf(made);
    const folder = posix.join(order.outputs, row.name);
    const problems = [
      ...problemsOfSite(
        site,
        found.filter((each) => !isOfOutputs(each)),
        order.known,
      ),
      ...found.filter(isOfOutputs).map((each) => inOutputs(each, folder)),
    ];
    return { isCurrent: false, problems, ...(made.ok && { files: made.value }) };
  };
}

function neverRecorded(): never {
  throw new Error('internal error: a dry run must not record sites');
}
