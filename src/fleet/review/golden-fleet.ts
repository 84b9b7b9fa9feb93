import { goldenRenderer, type GoldenSettings, type GoldenSite } from './golden-site.js';
import { GroupedProblems, type FleetProblem } from '../problems/grouped-problems.js';
import { completeRows, type LoadedFleet } from '../table/check-fleet.js';
import { siteSourcesOf } from '../table/check-site-files.js';
import { UnreadSites, type UncomparedSites } from './grouped-differences.js';
import { isError } from '../../core/problem.js';
import type { SiteRow } from '../table/site-table.js';
import type { KnownTemplates } from '../../review/output-tree.js';
import type { Tree } from '../../review/review-tree.js';
import { ourTemplates } from '../../run/sources/own-templates.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { workersFor } from '../threads/workers.js';
import { offlineOption, reviewOptions } from './review-options.js';
import { inOrder, type Workers } from '../threads/in-order.js';
import { valuesOf } from '../table/site-placeholders.js';
import { secretVariables } from './secret-variables.js';
import { SharedTreeBuilder, type SharedTree } from './shared-tree.js';

/** The fleet and the process that renders it. */
export interface GoldenOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly offlineFiles?: string;
  /** Registries of the placeholder for a missing pull secret. Absent if the secret must exist. */
  readonly placeholderRegistries?: readonly string[];
  readonly surroundings: Surroundings;
  /** Threads. */
  readonly jobs: number;
  /** Called with the number of rendered sites. */
  readonly onSite: (done: number) => void;
}

interface Rendering {
  readonly workers: Workers<SiteRow, GoldenSite>;
  /** The constant files of this version. */
  readonly templates: KnownTemplates;
  readonly onSite: (done: number) => void;
}

export interface GoldenFleet {
  /** Each once, with all sites that have it. */
  readonly problems: readonly FleetProblem[];
  /** The tree of the sites that can be rendered. */
  readonly tree: SharedTree;
  /** The other sites. */
  readonly notRendered: readonly UncomparedSites[];
}

/** Renders all sites with placeholder keys into one shared tree. Problems: those of `goldenRenderer`. */
export async function goldenFleet(
  read: LoadedFleet,
  { dir, jobs, onSite, ...settings }: GoldenOptions,
): Promise<GoldenFleet> {
  const templates = ourTemplates();
  const workers = workersFor(
    { items: read.rows.length, jobs },
    () => ({ task: 'golden', order: reviewOptions(read, { dir }, settings) }),
    () => goldenRenderer(siteSourcesOf(read), templates, goldenOptionsOf(settings)),
  );
  return collectTrees(read, { workers, templates, onSite }).finally(workers.close);
}

/** Render options of the sites of a golden tree. */
export function goldenOptionsOf({
  placeholderRegistries,
  ...settings
}: Pick<GoldenOptions, 'offlineFiles' | 'placeholderRegistries'>): GoldenSettings {
  return { ...offlineOption(settings), ...(placeholderRegistries && { placeholderRegistries }) };
}

async function collectTrees(
  read: LoadedFleet,
  { workers, templates, onSite }: Rendering,
): Promise<GoldenFleet> {
  const secret = secretVariables(read);
  const trees = new SharedTreeBuilder(
    read.rows.map((row) => ({ name: row.name, values: valuesOf(row, secret) })),
  );
  const found = new GroupedProblems();
  const constants = new Set<string>();
  const unread = new UnreadSites();
  let done = 0;
  for await (const [{ name }, site] of inOrder(completeRows(read), workers.atOnce, workers.run)) {
    found.add(name, site.problems);
    if (site.tree === undefined) unread.add(name, site.problems.find(isError)?.message);
    else trees.add(done, site.tree);
    for (const each of site.constants) constants.add(each);
    done += 1;
    onSite(done);
  }
  return {
    problems: found.list(),
    tree: trees.shared(textsOf(templates, constants)),
    notRendered: unread.list(),
  };
}

function textsOf(templates: KnownTemplates, names: ReadonlySet<string>): Tree {
  const named = [...templates].filter(([, name]) => names.has(name));
  return Object.fromEntries(
    named.map(([bytes, name]) => [name, Buffer.from(bytes, 'latin1').toString('utf8')]),
  );
}
