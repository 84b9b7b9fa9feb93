import type { Problem } from '../core/problem.js';

/** A problem of sites: one for all that have it from one place. */
export interface FleetProblem {
  readonly problem: Problem;
  /** In the order in which they were met; empty for what is no matter of one site. */
  readonly sites: readonly string[];
}

/** Problems of many sites: what some have in common is one problem with their names. */
export class GroupedProblems {
  readonly #found = new Map<string, { readonly problem: Problem; readonly sites: string[] }>();

  /** Takes note of problems of a site. */
  add(site: string, problems: readonly Problem[]): void {
    for (const each of problems) {
      const key = JSON.stringify([each.code, each.message, each.at, each.from]);
      const known = this.#found.get(key) ?? { problem: each, sites: [] };
      if (known.sites.at(-1) !== site) known.sites.push(site);
      this.#found.set(key, known);
    }
  }

  /** In the order in which they were met. */
  list(): readonly FleetProblem[] {
    return [...this.#found.values()].map(({ problem, sites }) => ({ problem, sites }));
  }
}
