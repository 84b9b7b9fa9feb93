import { join } from 'node:path';

import { type Problem } from '../../core/problem.js';
import type { Result } from '../../core/result.js';
import type { RunningSite } from '../../manifests/running-site/running-site.js';
import {
  chosenObjects,
  type ChosenObjects,
  type WantedObjects,
} from '../../remote/kubernetes/apply/chosen-objects.js';
import type { AwaitedSite } from '../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';
import type { CheckResult, Goal } from '../../remote/kubernetes/wait.js';
import type { SiteRow } from '../table/site-table.js';
import { siteApi, type ApiAccess } from '../wait/site-api.js';

export interface SiteTaskOptions {
  /** Generates the configuration of a site. */
  readonly objects: (row: SiteRow) => Promise<Result<RunningSite>>;
  readonly wanted: WantedObjects;
  readonly goalOf: (name: string, chosen: ChosenObjects) => Goal<ClusterClient>;
  /** Folder of the outputs of all sites. */
  readonly outputs: string;
  readonly api: ApiAccess;
  /** Moves problems to the files of the fleet. */
  readonly located: (row: SiteRow, problems: readonly Problem[]) => readonly Problem[];
  /** Receives the problem of a site without the wave. The site is skipped. */
  readonly onUnknownWave: (problem: Problem) => void;
}

/**
 * A site whose configuration is generated when its turn comes, and released when it is done: all of a large fleet would not fit into
 * memory.
 */
export function siteTask(row: SiteRow, options: SiteTaskOptions): AwaitedSite<ClusterClient> {
  const { objects, wanted, goalOf, outputs, api, located, onUnknownWave } = options;
  let goal: Goal<ClusterClient> | undefined;
  let warnings: readonly Problem[] = [];
  return {
    name: row.name,
    connect: async () => {
      const site = await objects(row);
      if (!site.ok) return site;
      const chosen = chosenObjects(site.value, wanted);
      if (chosen.ok) {
        goal = goalOf(row.name, chosen.value);
        warnings = site.warnings.filter(({ code }) => code.startsWith('apply/'));
      } else for (const each of chosen.problems) onUnknownWave(each);
      return siteApi(join(outputs, row.name), api);
    },
    goal: {
      outage: 'expected while it or the node restarts',
      look: async (client, present) => {
        const result = goal === undefined ? skipped : await goal.look(client, present);
        if (result.kind === 'reached' || result.kind === 'hopeless') goal = undefined;
        return locatedResult(result, (problems) => located(row, problems), warnings);
      },
      overdue: (message, client) => goal?.overdue(message, client) ?? Promise.resolve([]),
    },
  };
}

const skipped: CheckResult = {
  kind: 'reached',
  facts: { changes: 'no objects in this wave' },
  warnings: [],
};

function locatedResult(
  result: CheckResult,
  located: (problems: readonly Problem[]) => readonly Problem[],
  warnings: readonly Problem[],
): CheckResult {
  if (result.kind === 'hopeless') return { ...result, problems: [...warnings, ...located(result.problems)] };
  return result.kind === 'reached'
    ? { ...result, warnings: [...warnings, ...located(result.warnings)] }
    : result;
}
