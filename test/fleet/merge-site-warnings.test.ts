import { expect, it } from 'vitest';

import { problem } from '../../src/core/problem.js';
import { mergeSiteWarnings } from '../../src/fleet/problems/merge-site-warnings.js';

it('warnings that differ in their times are one, with all their sites and the first time', () => {
  const expiring = (day: string, ...sites: readonly string[]) => ({
    problem: problem('dir/certificates-ending', `the certificates end at ${day}`),
    sites,
  });
  const other = { problem: problem('config/node-ip', 'a'), sites: ['a', 'b'] };
  const outside = { problem: problem('dir/certificates-outside', 'they ended'), sites: ['e'] };
  const days: Readonly<Record<string, string>> = { a: '3', b: '2', c: '2', d: '4' };
  const found = [expiring('3', 'a'), other, expiring('2', 'b', 'c'), outside, expiring('4', 'd')];

  const together = mergeSiteWarnings(found, (site) => ({ bootableUntil: days[site] ?? '1' }));
  expect(together.map(({ problem: { message }, sites }) => [message, sites])).toEqual([
    ['certificates expire soon; boot the machines before 2', ['a', 'b', 'c', 'd']],
    ['a', ['a', 'b']],
    ['they ended', ['e']],
  ]);
});
