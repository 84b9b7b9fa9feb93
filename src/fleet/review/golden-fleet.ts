import type { Problem } from '../../core/problem.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { GroupedProblems, type FleetProblem } from '../grouped-problems.js';
import { completeRows, type LoadedFleet } from '../check-fleet.js';
import { checkSiteFiles, type SiteInputSources } from '../check-site-files.js';
import type { SiteRow } from '../site-table.js';
import { goldenOutputs } from '../../run/dry-run-outputs.js';
import { outputTree, type KnownTemplates } from '../../review/output-tree.js';
import type { Tree } from '../../review/review-tree.js';
import { renderForFleet } from './render-for-fleet.js';
import { inOrder, type Workers } from '../threads/in-order.js';
import { valuesOf } from './site-placeholders.js';
import { secretVariables } from './secret-variables.js';
import { SharedTreeBuilder, type SharedTree } from './shared-tree.js';

/** Result for one site. */
export interface GoldenSite {
  readonly problems: readonly Problem[];
  /** Absent if the site cannot be rendered. */
  readonly tree?: Tree;
  /** Constant files that the tree refers to and that no earlier site of this thread has reported. */
  readonly constants: readonly string[];
}

export interface GoldenOptions {
  readonly workers: Workers<SiteRow, GoldenSite>;
  /** The constant files of this version. */
  readonly templates: KnownTemplates;
  readonly onSite?: (done: number) => void;
}

export interface GoldenFleet {
  /** Each once, with all sites that have it. */
  readonly problems: readonly FleetProblem[];
  /** Absent if any site cannot be rendered. */
  readonly tree?: SharedTree;
}

/** Returns a function that renders a site with placeholder keys. Problems: fleet/…, those of every asset. */
export function goldenRenderer(
  origin: SiteInputSources,
  templates: KnownTemplates,
  settings: { readonly offlineFiles?: string },
): (row: SiteRow) => Promise<GoldenSite> {
  const show = renderForFleet();
  const reported = new Set<string>();
  const { target } = origin;
  const ours = ownTemplates();
  return async (row) => {
    const { judged, problems } = await checkSiteFiles(origin, row, (inputs) =>
      goldenOutputs({ ...settings, target, inputs, templates: ours }),
    );
    if (!judged.ok) return { problems, constants: [] };
    const used = new Set<string>();
    const get = (bytes: string): string | undefined => {
      const name = templates.get(bytes);
      if (name !== undefined && !reported.has(name)) used.add(name);
      return name;
    };
    const tree = outputTree(judged.value, { get }, show);
    for (const name of used) reported.add(name);
    return { problems, tree, constants: [...used] };
  };
}

/** Renders all sites with placeholder keys into one shared tree. Problems: those of `goldenRenderer`. */
export async function goldenFleet(
  read: LoadedFleet,
  { workers, templates, onSite = () => undefined }: GoldenOptions,
): Promise<GoldenFleet> {
  const secret = secretVariables(read);
  const trees = new SharedTreeBuilder(
    read.rows.map((row) => ({ name: row.name, values: valuesOf(row, secret) })),
  );
  const found = new GroupedProblems();
  const constants = new Set<string>();
  let [done, failed] = [0, 0];
  for await (const [{ name }, site] of inOrder(completeRows(read), workers.atOnce, workers.run)) {
    found.add(name, site.problems);
    if (site.tree === undefined) failed += 1;
    else if (failed === 0) trees.add(done, site.tree);
    for (const each of site.constants) constants.add(each);
    done += 1;
    onSite(done);
  }
  const problems = found.list();
  return failed === 0 ? { problems, tree: trees.shared(textsOf(templates, constants)) } : { problems };
}

function textsOf(templates: KnownTemplates, names: ReadonlySet<string>): Tree {
  const named = [...templates].filter(([, name]) => names.has(name));
  return Object.fromEntries(
    named.map(([bytes, name]) => [name, Buffer.from(bytes, 'latin1').toString('utf8')]),
  );
}
