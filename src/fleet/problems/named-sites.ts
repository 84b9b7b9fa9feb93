import { count } from '../../run/problem-text.js';

/** Number of sites that a text names; JSON lists all of them. */
const mostNamed = 5;

/** The first site names, and the number of further sites. */
export function firstSites(sites: readonly string[]): string {
  const named = sites.slice(0, mostNamed).join(', ');
  return sites.length > mostNamed ? `${named} and ${sites.length - mostNamed} more` : named;
}

/** Short text such as `all 3000 sites`, or the number of sites and the first names. `all` is the total number of sites. */
export function namedSites(sites: readonly string[], all: number): string {
  if (sites.length === all && all > 1) return `all ${all} sites`;
  return `${count(sites.length, 'site')}: ${firstSites(sites)}`;
}
