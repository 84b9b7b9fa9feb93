import { posix } from 'node:path';

import type { OutputFile } from '../../core/output-file.js';
import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { templatesFrom } from '../../disk/program-files/templates.js';
import { forecast } from '../../run/run.js';
import { siteFiles } from '../table/site-files.js';
import { siteProblems } from '../table/site-problems.js';
import type { SiteRow } from '../table/site-table.js';
import { stateAccessWithKeys } from './access-with-keys.js';
import { filesOf } from './site-file-options.js';
import { inOutputFolder, isOutputProblem, siteRunRequest } from './build-site.js';
import type { SiteOptions } from './site-options.js';
import { siteFreshness } from './site-freshness.js';

/** Dry-run result of `fleet create` for one site. */
export interface SiteDryRun {
  /** Whether the outputs are up to date. This is determined without opening the state or creating outputs. */
  readonly isCurrent: boolean;
  /** Decrypted outputs; absent if the site is current or cannot be created. */
  readonly files?: readonly OutputFile[];
  /** Each at the place where its value was written. */
  readonly problems: readonly Problem[];
}

/** Returns a function that computes the outputs of a site with the keys of its state. Writes nothing. Problems: those of `run`. */
export function siteDryRun(order: SiteOptions): (row: SiteRow) => Promise<SiteDryRun> {
  const files = filesOf(order);
  const access = stateAccessWithKeys(order.keys);
  const templates = templatesFrom(order.templatesFolder);
  return async (row) => {
    const site = siteFiles(files, row);
    const freshness = siteFreshness(order, row.name, { site, mayRenew: false });
    if (freshness.status === 'current') return { isCurrent: true, problems: [] };
    const request = siteRunRequest(order, { row, site, access, templates }, neverRecorded);
    const made = await forecast(request);
    const found = problemsOf(made);
    const folder = posix.join(order.outputs, row.name);
    const problems = [
      ...siteProblems(
        site,
        found.filter((each) => !isOutputProblem(each)),
        order.known,
      ),
      ...found.filter(isOutputProblem).map((each) => inOutputFolder(each, folder)),
    ];
    return { isCurrent: false, problems, ...(made.ok && { files: made.value }) };
  };
}

function neverRecorded(): never {
  throw new Error('internal error: a dry run must not record sites');
}
