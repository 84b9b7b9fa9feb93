import type { Problem } from '../../core/problem.js';

/** A problem with all sites that have it at the same place. */
export interface FleetProblem {
  readonly problem: Problem;
  /** In the order of the sites; empty for a problem of the whole fleet. */
  readonly sites: readonly string[];
}

/** Converts problems of sites for the output of a command. `sites` is the number of selected sites. */
export type ShownProblems = (found: readonly FleetProblem[], sites: number) => readonly Problem[];

/** A problem of the whole fleet. */
export function fleetWide(problem: Problem): FleetProblem {
  return { problem, sites: [] };
}

/** Sort key of a problem: position of the site in the table, position of the problem among those of the site. */
type SortKey = readonly [site: number, position: number];

interface AddOptions {
  readonly order?: number;
  readonly named?: (text: string) => string;
}

interface Group {
  problem: Problem;
  first: SortKey;
  readonly sites: string[];
  /** Order of each entry of `sites`. */
  readonly orders: number[];
}

/**
 * Groups the problems of many sites: equal problems are listed once with the names of their sites. Problems in the same line of the base
 * are equal if their messages differ only in the values of the sites; the message then contains `${name}`.
 */
export class GroupedProblems {
  readonly #found = new Map<string, Group>();
  #added = 0;

  /**
   * Adds the problems of a site. Pass `order` if sites are not added in the order of the table; the default is the order of the calls.
   * `named` replaces the values of the site by placeholders.
   */
  add(
    site: string,
    problems: readonly Problem[],
    { order = (this.#added += 1), named = (text) => text }: AddOptions = {},
  ): void {
    for (const [position, problem] of problems.entries()) {
      const sortKey: SortKey = [order, position];
      const isOfBase = problem.from === undefined && problem.at !== undefined;
      const template = isOfBase ? named(problem.message) : problem.message;
      const key = JSON.stringify([problem.code, template, problem.at, problem.from]);
      const known = this.#found.get(key);
      if (known === undefined) {
        this.#found.set(key, { problem, first: sortKey, sites: [site], orders: [order] });
        continue;
      }
      if (known.sites.at(-1) !== site) {
        known.sites.push(site);
        known.orders.push(order);
      }
      const message = known.problem.message === problem.message ? problem.message : template;
      if (order < known.first[0]) [known.problem, known.first] = [problem, sortKey];
      known.problem = { ...known.problem, message };
    }
  }

  /** Returns the problems in the order of the sites. */
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
