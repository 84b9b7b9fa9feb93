import { count } from '../../run/problem-text.js';

/** How many sites are named of those that have something; JSON has all of them. */
const mostNamed = 5;

/** The first of some sites, and how many more there are. */
export function firstSites(sites: readonly string[]): string {
  const named = sites.slice(0, mostNamed).join(', ');
  return sites.length > mostNamed ? `${named} and ${sites.length - mostNamed} more` : named;
}

/** Sites in a few words: `all 3000 sites`, or how many, and the first of them by name. `all` is how many there are. */
export function namedSites(sites: readonly string[], all: number): string {
  if (sites.length === all && all > 1) return `all ${all} sites`;
  return `${count(sites.length, 'site')}: ${firstSites(sites)}`;
}
