import { markOf } from '../disk/file-size.js';
import { problem } from '../core/problem.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { siteFoldersAt, type SiteFolder } from './site-folders.js';
import { repeated } from '../ignition/violation.js';
import { generationOf, type ServingState } from './tokens/serving-state.js';
import { tokenOf, tokenTable, type TokenTable } from './tokens/tokens.js';

/** A site that is served, and by which token. */
export interface ServedSite extends SiteFolder {
  /** How often its token was taken back. */
  readonly generation: number;
}

/** The sites of some folders as they are now. */
export interface SiteCatalogue {
  readonly sites: readonly ServedSite[];
  readonly byToken: TokenTable<ServedSite>;
}

/** The sites of folders, each with its token. Problems: usage/unreadable-file, media/serve-sites. */
export function siteCatalogue(folders: readonly string[], state: ServingState): Result<SiteCatalogue> {
  const read = folders.map(siteFoldersAt);
  const problems = read.flatMap(problemsOf);
  if (problems.length > 0) return failure(...problems);
  const found = read.flatMap((each) => (each.ok ? each.value : []));
  const [twice] = repeated(found.map(({ name }) => name));
  if (twice !== undefined)
    return failure(problem('media/serve-sites', `two of the sites are called ${twice}`));
  const sites = found.map((site) => ({ ...site, generation: generationOf(state, site.name) }));
  return success({
    sites,
    byToken: tokenTable(sites.map((site) => [siteToken(state, site), site] as const)),
  });
}

/** The token of a site. */
export function siteToken(
  { tokenKey }: ServingState,
  { name, generation }: Pick<ServedSite, 'name' | 'generation'>,
): string {
  return tokenOf(tokenKey, { use: 'site', name, generation });
}

/** A text that is another one once a site was added or taken away, or the file of tokens was written. */
export function markOfAll(folders: readonly string[], tokensPath: string): string {
  return [...folders, tokensPath].map(markOf).join('\n');
}
