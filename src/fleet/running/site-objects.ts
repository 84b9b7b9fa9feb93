import { failure, success, type Result } from '../../core/result.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import type { RunningSite } from '../../manifests/running-site/running-site.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { look } from '../../run/run.js';
import { runningSite } from '../../run/target-assets.js';
import { siteRunRequest } from '../build/build-site.js';
import { neededStdin } from '../build/fleet-options.js';
import { siteOptions } from '../build/fleet-request.js';
import { withFleetVariables, type LoadedFleet } from '../table/check-fleet.js';
import { filesOf, siteSourcesOf } from '../table/check-site-files.js';
import { siteProblems } from '../table/site-problems.js';
import type { SiteRow } from '../table/site-table.js';

/** A fleet and the access to the states of its sites. */
export interface SitesOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly surroundings: Surroundings;
  readonly access: StateAccess;
}

/**
 * Returns a function that generates the configuration of a running site in memory. The rows contain their secrets. Problems: those of
 * `look`, at the files of the fleet.
 */
export function siteObjects(
  { dir, surroundings, access }: SitesOptions,
  opened: LoadedFleet,
): (row: SiteRow) => Promise<Result<RunningSite>> {
  const keys = { identities: [], passphrases: [] };
  const order = siteOptions({ dir, surroundings }, opened, {
    keys,
    ...neededStdin(opened, surroundings.stdin),
  });
  const { known } = siteSourcesOf(opened);
  const templates = ownTemplates();
  return async (row) => {
    const site = filesOf(opened, row);
    const request = siteRunRequest(
      { ...order, recordKey: '' },
      { row: withFleetVariables(row, opened.fleet), site, access, templates },
      () => {
        throw new Error('internal error: nothing is written');
      },
    );
    const made = await look({ ...request, isStateOptional: true }, runningSite);
    const problems = siteProblems(site, made.ok ? made.warnings : made.problems, known);
    return made.ok ? success(made.value, problems) : failure(...problems);
  };
}
