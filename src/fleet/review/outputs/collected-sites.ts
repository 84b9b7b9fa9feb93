import { programVersion } from '../../../core/program-version.js';
import { GroupedProblems, type FleetProblem } from '../../problems/grouped-problems.js';
import { treeMark } from '../../../review/output-tree.js';
import { linesOf, treeOf, type Tree } from '../../../review/review-tree.js';

/** Trees of sites, each in a folder named after the site. */
export interface RenderedSites {
  /** Contains the sites that could be rendered, and an index of them. */
  readonly tree: Tree;
  readonly sites: readonly string[];
  /** Each once, with all sites that have it. */
  readonly problems: readonly FleetProblem[];
}

/** Collects the trees of sites one by one. */
export class RenderedSitesBuilder {
  readonly #entries: [string, string][] = [];
  readonly #sites: string[] = [];
  readonly #problems = new GroupedProblems();
  /** Deduplicates equal texts: each worker thread sends its own copy. */
  readonly #texts = new Map<string, string>();

  constructor(readonly what: string) {}

  note(site: string, problems: Parameters<GroupedProblems['add']>[1]): void {
    this.#problems.add(site, problems);
  }

  add(site: string, tree: Tree): void {
    this.#sites.push(site);
    for (const [path, text] of Object.entries(tree))
      this.#entries.push([`${site}/${path}`, this.#once(text)]);
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  all(): RenderedSites {
    const index = linesOf([`${treeMark}${programVersion}`, this.what, ...this.#sites]);
    return {
      tree: treeOf([['index.txt', index], ...this.#entries]),
      sites: this.#sites,
      problems: this.#problems.list(),
    };
  }
}
