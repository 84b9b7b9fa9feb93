import type { ProblemCode } from '../../core/problem.js';
import type { FleetProblem } from './grouped-problems.js';

/**
 * Merges warnings of sites into one for all of them: those that differ only in the times of their sites, and those about this host, which
 * differ only in their place. `factsOf` returns the times.
 */
export function mergeSiteWarnings(
  found: readonly FleetProblem[],
  factsOf: (site: string) => { readonly bootableUntil?: string } = () => ({}),
): readonly FleetProblem[] {
  const ofCode = new Map<ProblemCode, FleetProblem[]>();
  for (const each of found) {
    const alike = ofCode.get(each.problem.code) ?? [];
    alike.push(each);
    ofCode.set(each.problem.code, alike);
  }
  return found.flatMap((each): readonly FleetProblem[] => {
    const { code } = each.problem;
    const words = wordsOf[code];
    const alike = ofCode.get(code) ?? [];
    if (words === undefined || alike.length === 1) return [each];
    if (alike[0] !== each) return [];
    const sites = alike.flatMap(({ sites: names }) => names);
    const [first = ''] = sites.flatMap((name) => factsOf(name).bootableUntil ?? []).sort();
    return [{ problem: { ...each.problem, message: words(first, each.problem.message) }, sites }];
  });
}

const wordsOf: Readonly<Partial<Record<ProblemCode, (first: string, message: string) => string>>> = {
  'dir/certificates-ending': (first) => `certificates expire soon; boot the machines before ${first}`,
  'dir/certificates-outside': () => 'certificates have expired or are not valid yet',
  'dir/reissued': () => 'certificates had expired or were about to expire; reissued with the same keys',
  'config/fips-host': (_, message) => message,
};
