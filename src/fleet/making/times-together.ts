import type { ProblemCode } from '../../core/problem.js';
import type { FleetProblem } from '../grouped-problems.js';
import type { SiteFacts } from './make-site.js';

/**
 * Problems of a fleet in which warnings of one kind, each with the times of its site, are one warning of all these sites. `factsOf` has what
 * is known of each.
 */
export function timesTogether(
  found: readonly FleetProblem[],
  factsOf: (site: string) => SiteFacts,
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
    return [{ problem: { ...each.problem, message: words(first) }, sites }];
  });
}

const wordsOf: Readonly<Partial<Record<ProblemCode, (first: string) => string>>> = {
  'dir/certificates-ending': (first) =>
    `the certificates end soon, the first of them at ${first}: the machines have to boot before that`,
  'dir/certificates-outside': () => 'the certificates have ended, or begin only later',
  'dir/reissued': () =>
    'the certificates had ended, or were about to, so they are issued again from the same keys',
};
