import { isError, type Problem } from '../../core/problem.js';
import { dryRunGoal, type DryRunOrder, type DryRunResult } from '../../remote/kubernetes/apply/dry-run.js';
import { differencesOf, failuresOf } from '../../remote/kubernetes/apply/cluster-differences.js';
import type { SiteProgress } from '../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';
import type { Goal } from '../../remote/kubernetes/wait.js';
import type { Difference } from '../../review/diff/difference.js';
import { GroupedDifferences, UnreadSites, type FleetDifferences } from '../review/grouped-differences.js';
import { secretVariables } from '../review/secret-variables.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { valuesOf } from '../table/site-placeholders.js';

/** A site compared with its cluster. */
export interface ComparedSite {
  readonly name: string;
  /** Absent if the site could not be compared. */
  readonly differences?: readonly Difference[];
  /** The first error of a site that could not be compared. */
  readonly reason?: string;
}

/** Returns a goal that compares a site with its cluster and changes nothing. `onDone` receives the differences. */
export function comparisonGoal(
  order: Omit<DryRunOrder, 'isForced'>,
  onDone: (differences: readonly Difference[]) => void,
): Goal<ClusterClient> {
  let done: DryRunResult = { states: [], removals: [] };
  const goal = dryRunGoal({ ...order, isForced: true }, (result) => (done = result));
  return {
    ...goal,
    look: async (client, present) => {
      const result = await goal.look(client, present);
      if (result.kind !== 'reached') return result;
      const problems: readonly Problem[] = failuresOf(done);
      if (problems.length > 0) return { kind: 'hopeless', problems: [...result.warnings, ...problems] };
      onDone(differencesOf(done));
      return result;
    },
  };
}

/** The result of each site, in the order of the table. */
export function comparedSites(
  sites: readonly SiteProgress[],
  found: ReadonlyMap<string, readonly Difference[]>,
): readonly ComparedSite[] {
  return sites.map(({ name, outcome, word }) => {
    const differences = found.get(name);
    if (outcome?.kind === 'reached') return { name, ...(differences && { differences }) };
    const problems = outcome?.kind === 'failed' ? outcome.problems : [];
    return { name, reason: problems.find(isError)?.message ?? word ?? 'not contacted' };
  });
}

/** Groups equal differences of sites. */
export function groupedSites(opened: LoadedFleet, sites: readonly ComparedSite[]): FleetDifferences {
  const secret = secretVariables(opened);
  const compared = sites.filter(({ differences }) => differences !== undefined);
  const rows = new Map(opened.rows.map((row) => [row.name, row]));
  const grouped = new GroupedDifferences(
    compared.map(({ name }) => {
      const row = rows.get(name);
      return { name, values: row === undefined ? new Map<string, string>() : valuesOf(row, secret) };
    }),
  );
  for (const [index, { differences = [] }] of compared.entries()) grouped.add(index, differences);
  const unread = new UnreadSites();
  for (const { name, reason } of sites) if (reason !== undefined) unread.add(name, reason);
  return {
    compared: compared.length,
    notCompared: unread.list(),
    ...{ added: [], addedSheets: [], removed: [], constants: [] },
    groups: grouped.groups(),
  };
}
