import type { Problem } from '../../core/problem.js';
import { failure, problemsOf, success } from '../../core/result.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import type { Variables } from '../../disk/environment.js';
import { siteChecker, type SiteInputSources } from '../table/check-site-files.js';
import type { SiteRow } from '../table/site-table.js';
import { oddFolderProblems } from '../../manifests/edits/odd-folders.js';
import { fipsHostWarnings } from '../../run/fips-host.js';
import { dryRunOutputs } from '../../run/dry-run-outputs.js';

/** Time and environment of a dry run. */
export interface DryRunCheck {
  readonly present: Date;
  readonly variables: Variables;
  /** Whether this host is in FIPS mode; see `RunOptions`. */
  readonly isFipsHost?: boolean;
}

/** Returns a function that checks a site with a dry run of `create`. Problems: fleet/…, those of every asset. */
export function dryRunCheck(
  origin: SiteInputSources,
  { present, variables, isFipsHost }: DryRunCheck,
  settings: { readonly offlineFiles?: string } = {},
): (row: SiteRow) => Promise<readonly Problem[]> {
  const { target } = origin;
  const templates = ownTemplates();
  const surroundings = { now: present, variables };
  return siteChecker(origin, async (inputs) => {
    const odd = oddFolderProblems(inputs);
    if (odd.length > 0) return failure(...odd);
    const made = await dryRunOutputs({ ...settings, target, inputs, templates }, surroundings);
    const found = [...fipsHostWarnings(inputs, isFipsHost), ...problemsOf(made)];
    return made.ok ? success(made.value, found) : failure(...found);
  });
}
