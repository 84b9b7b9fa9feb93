import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { SourceUnavailable } from '../../serve/answers/served-file.js';
import type { MediaMaker } from '../../serve/media/site-media.js';
import type { ServedSite } from '../../serve/site-catalogue.js';
import { findConfig, liveConfigName, type SiteFolder } from '../../serve/site-folders.js';
import { count } from '../../run/problem-text.js';

/** If this number of sites fails, all sites are assumed to fail. */
const mostTried = 50;

/** Limit for sites listed one by one. */
const mostListed = 5;

/**
 * Creates the medium of one site as a test, so that general problems, such as missing keys or an image for another architecture,
 * are reported before a machine boots. Problems of single sites are warnings if a later site succeeds, or if not all sites were
 * tried. Problems: those of `MediaMaker`, media/serve-sites.
 */
export async function firstMedium(
  media: MediaMaker,
  sites: readonly ServedSite[],
  isMade: (site: ServedSite) => boolean = hasConfig,
): Promise<Result<void>> {
  const tried: (readonly Problem[])[] = [];
  const made = sites.filter(isMade);
  for (const site of spreadOver(made, mostTried)) {
    const medium = await media.of(site).catch(unavailable);
    if (medium.ok) return success(undefined, tried.slice(0, mostListed).flat().map(asWarning));
    tried.push(medium.problems);
  }
  if (tried.length === 0) return success(undefined);
  const found = [...tried.slice(0, mostListed).flat(), noneOf(tried.length, made.length)];
  return tried.length < made.length ? success(undefined, found.map(asWarning)) : failure(...found);
}

/** A store may stop answering after the site was found. */
function unavailable(error: unknown): Result<never> {
  if (!(error instanceof SourceUnavailable)) throw error;
  return failure(...error.problems);
}

/** Returns up to `most` items at equal distances, including the first and last. */
export function spreadOver<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, (list.length - 1) / (most - 1));
  const places = Array.from({ length: Math.min(list.length, most) }, (_, index) => Math.round(index * step));
  return places.flatMap((place) => list.slice(place, place + 1));
}

function noneOf(tried: number, all: number): Problem {
  const others = tried < all ? `; ${all - tried} were not checked` : '';
  const message = `${tried} of ${count(all, 'site')} were checked and none can be served${others}`;
  const hint = 'requests for a site return its problem and log it';
  return problem('media/serve-sites', message, { hint });
}

function asWarning(found: Problem): Problem {
  return { ...found, severity: 'warning' };
}

/** Reports sites without a live config. Warnings: media/serve-unmade. */
export function sitesWithoutConfig(sites: readonly SiteFolder[]): readonly Problem[] {
  const names = sites.filter((site) => !hasConfig(site)).map(({ name }) => name);
  if (names.length === 0) return [];
  const others = names.length > mostListed ? ` and ${names.length - mostListed} more` : '';
  const shown = `${names.slice(0, mostListed).join(', ')}${others}`;
  const message = `${names.length} of ${count(sites.length, 'site')} ${names.length === 1 ? 'has' : 'have'} no ${liveConfigName} yet: ${shown}`;
  const hint =
    'create it with `sno-install create` or `fleet create`; the server then serves it without a restart';
  return [problem('media/serve-unmade', message, { hint })];
}

/** Whether a live config exists; does not check its content. */
export function hasConfig({ dir }: SiteFolder): boolean {
  return findConfig(dir) !== undefined;
}
