import type { Problem } from '../../core/problem.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { checkSiteFiles, type SiteInputSources } from '../table/check-site-files.js';
import type { SiteRow } from '../table/site-table.js';
import { goldenOutputs, type DryRunOptions } from '../../run/dry-run-outputs.js';
import { withGoldenHint } from '../../run/placeholder-secret.js';
import { outputTree, type KnownTemplates } from '../../review/output-tree.js';
import type { Tree } from '../../review/review-tree.js';
import { renderForFleet } from './render-for-fleet.js';

/** Result for one site. */
export interface GoldenSite {
  readonly problems: readonly Problem[];
  /** Absent if the site cannot be rendered. */
  readonly tree?: Tree;
  /** Constant files that the tree refers to and that no earlier site of this thread has reported. */
  readonly constants: readonly string[];
}

/** Settings of `goldenOutputs`. */
export type GoldenSettings = Pick<DryRunOptions, 'offlineFiles' | 'placeholderRegistries'>;

/** Returns a function that renders a site with placeholder keys. Problems: fleet/…, those of every asset. */
export function goldenRenderer(
  origin: SiteInputSources,
  templates: KnownTemplates,
  settings: GoldenSettings,
): (row: SiteRow) => Promise<GoldenSite> {
  const show = renderForFleet();
  const reported = new Set<string>();
  const { target } = origin;
  const ours = ownTemplates();
  return async (row) => {
    const { judged, problems } = await checkSiteFiles(origin, row, (inputs) =>
      goldenOutputs({ ...settings, target, inputs, templates: ours }),
    );
    if (!judged.ok) return { problems: problems.map(withGoldenHint), constants: [] };
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
