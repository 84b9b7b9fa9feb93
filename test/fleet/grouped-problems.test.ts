import { describe, expect, it } from 'vitest';

import { problem } from '../../src/core/problem.js';
import { GroupedProblems } from '../../src/fleet/grouped-problems.js';

const shared = problem('config/node-ip', 'of all', { at: { file: 'base/sno-config.yaml', line: 3 } });
const own = problem('config/node-ip', 'of one', { at: { file: 'sites.csv', line: 4 } });
const later = problem('config/node-ip', 'of the last', { at: { file: 'sites.csv', line: 9 } });

function shown(found: GroupedProblems): readonly (readonly [string, readonly string[]])[] {
  return found.list().map(({ problem: { message }, sites }) => [message, sites]);
}

describe('problems of sites', () => {
  const inTurn = new GroupedProblems();
  inTurn.add('a', [shared, own]);
  inTurn.add('b', []);
  inTurn.add('c', [later, shared]);

  it('are one for all that have it from one place, in the order of the sites', () => {
    expect(shown(inTurn)).toEqual([
      ['of all', ['a', 'c']],
      ['of one', ['a']],
      ['of the last', ['c']],
    ]);
  });

  it('are independent of the order of sites', () => {
    const byChance = new GroupedProblems();
    byChance.add('c', [later, { ...shared, hint: 'as the last one has it' }], 3);
    byChance.add('a', [shared, own], 1);
    byChance.add('b', [], 2);
    expect(byChance.list()).toEqual(inTurn.list());
  });

  it('list a site once', () => {
    const found = new GroupedProblems();
    found.add('a', [own, own]);
    found.add('a', [own]);
    expect(shown(found)).toEqual([['of one', ['a']]]);
  });
});
