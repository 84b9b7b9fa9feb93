import { count, firstSites } from '../../run/problem-text.js';

/** Short text such as `all 3000 sites`, or the number of sites and the first names. `all` is the total number of sites. */
export function namedSites(sites: readonly string[], all: number): string {
  if (sites.length === all && all > 1) return `all ${all} sites`;
  return `${count(sites.length, 'site')}: ${firstSites(sites)}`;
}
