import { fingerprintOf } from '../disk/file-size.js';
import { problem } from '../core/problem.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { siteFoldersAt, type SiteFolder } from './site-folders.js';
import { duplicatesIn } from '../ignition/violation.js';
import { generationOf, type ServingState } from './tokens/serving-state.js';
import { tokenOf, tokenTable, type TokenTable } from './tokens/tokens.js';

/** A site and the generation of its token. */
export interface ServedSite extends SiteFolder {
  /** How often its token was revoked. */
  readonly generation: number;
}

export interface SiteCatalogue {
  readonly sites: readonly ServedSite[];
  readonly byToken: TokenTable<ServedSite>;
}

/** Finds the sites in folders, adds those in `listed`, and derives their tokens. Problems: usage/unreadable-file, media/serve-sites. */
export function siteCatalogue(
  folders: readonly string[],
  state: ServingState,
  listed: readonly SiteFolder[] = [],
): Result<SiteCatalogue> {
  const read = folders.map(siteFoldersAt);
  const problems = read.flatMap(problemsOf);
  if (problems.length > 0) return failure(...problems);
  const found = [...read.flatMap((each) => (each.ok ? each.value : [])), ...listed];
  const [twice] = duplicatesIn(found.map(({ name }) => name));
  if (twice !== undefined) return failure(problem('media/serve-sites', `two sites have the name ${twice}`));
  const sites = found.map((site) => ({ ...site, generation: generationOf(state, site.name) }));
  return success({
    sites,
    byToken: tokenTable(sites.map((site) => [siteToken(state, site), site] as const)),
  });
}

export function siteToken(
  { tokenKey }: ServingState,
  { name, generation }: Pick<ServedSite, 'name' | 'generation'>,
): string {
  return tokenOf(tokenKey, { use: 'site', name, generation });
}

/** Returns a fingerprint that changes when a site is added or removed, or when the token file is written. */
export function fingerprintOfSources(folders: readonly string[], tokensPath: string): string {
  return [...folders, tokensPath].map(fingerprintOf).join('\n');
}
