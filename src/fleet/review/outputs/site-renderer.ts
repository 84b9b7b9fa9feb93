import type { Problem } from '../../../core/problem.js';
import type { AgeKeys } from '../../../formats/age.js';
import { outputTree, type KnownTemplates } from '../../../review/output-tree.js';
import { cachedRenderFile } from '../../../review/render-file.js';
import type { Tree } from '../../../review/review-tree.js';
import { stateAccessWithKeys } from '../../build/access-with-keys.js';
import { readSiteOutputs } from './site-outputs.js';

/** Result for one site. */
export interface RenderedSite {
  readonly problems: readonly Problem[];
  /** Absent if no Ignition config can be read. */
  readonly tree?: Tree;
}

/** Keys that decrypt encrypted outputs. */
export interface RendererOptions {
  readonly keys: AgeKeys;
}

/** Returns a function that renders the Ignition configs in a site's folder. */
export function siteRenderer(
  { keys }: RendererOptions,
  templates: KnownTemplates,
): (dir: string) => Promise<RenderedSite> {
  const access = stateAccessWithKeys(keys);
  const show = cachedRenderFile();
  return async (dir) => {
    const { files, problems } = await readSiteOutputs(dir, access);
    const configs = files.filter(({ path }) => path.endsWith('.ign'));
    return configs.length === 0 ? { problems } : { problems, tree: outputTree(configs, templates, show) };
  };
}
