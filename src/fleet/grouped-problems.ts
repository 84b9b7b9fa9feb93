import type { Problem } from '../core/problem.js';

/** A problem of sites: one for all that have it from one place. */
export interface FleetProblem {
  readonly problem: Problem;
  /** In the order in which they were met; empty for what is no matter of one site. */
  readonly sites: readonly string[];
}

/** A problem that is no matter of one site. */
export function ofNoSite(problem: Problem): FleetProblem {
  return { problem, sites: [] };
}

/** Where something was met: sites by the order of the table, and what one site has by its own. */
type Met = readonly [site: number, position: number];

interface Group {
  problem: Problem;
  first: Met;
  readonly sites: string[];
  /** Of each of these sites. */
  readonly orders: number[];
}

/** Problems of many sites: what some have in common is one problem with their names. */
export class GroupedProblems {
  readonly #found = new Map<string, Group>();
  #added = 0;

  /** Takes note of problems of a site. Sites that are added by chance are given with their `order`; others are in that of being added. */
  add(site: string, problems: readonly Problem[], order = (this.#added += 1)): void {
    for (const [position, problem] of problems.entries()) {
      const met: Met = [order, position];
      const key = JSON.stringify([problem.code, problem.message, problem.at, problem.from]);
      const known = this.#found.get(key);
      if (known === undefined) {
        this.#found.set(key, { problem, first: met, sites: [site], orders: [order] });
        continue;
      }
      if (known.sites.at(-1) !== site) {
        known.sites.push(site);
        known.orders.push(order);
      }
      if (order < known.first[0]) [known.problem, known.first] = [problem, met];
    }
  }

  /** In the order of the sites. */
  list(): readonly FleetProblem[] {
    const groups = [...this.#found.values()].sort(
      ({ first: [left, own] }, { first: [right, others] }) => left - right || own - others,
    );
    return groups.map(({ problem, sites, orders }) => ({ problem, sites: inOrderOf(sites, orders) }));
  }
}

function inOrderOf(sites: readonly string[], orders: readonly number[]): readonly string[] {
  const sorted = sites.map((site, index) => ({ site, order: orders[index] ?? 0 }));
  return sorted.sort((left, right) => left.order - right.order).map(({ site }) => site);
}
