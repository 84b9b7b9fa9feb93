import { describe, expect, it } from 'vitest';

import { problem } from '../../src/core/problem.js';
import { GroupedProblems } from '../../src/fleet/problems/grouped-problems.js';

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
    const shuffled = new GroupedProblems();
    shuffled.add('c', [later, { ...shared, hint: 'as the last one has it' }], { order: 3 });
    shuffled.add('a', [shared, own], { order: 1 });
    shuffled.add('b', [], { order: 2 });
    expect(shuffled.list()).toEqual(inTurn.list());
  });

  it('list a site once', () => {
    const found = new GroupedProblems();
    found.add('a', [own, own]);
    found.add('a', [own]);
    expect(shown(found)).toEqual([['of one', ['a']]]);
  });

  it('are one for a line of the base if only values of the sites differ', () => {
    const at = { file: 'base/install-config.yaml', line: 15 };
    const inBase = (network: string) =>
      problem('config/network-overlap', `10.0.0.0/8 overlaps ${network}`, { at });
    const inCell = (ip: string) => ({ ...problem('config/node-ip', `bad ${ip}`, { at }), from: at });
    const found = new GroupedProblems();
    for (const [site, network] of [
      ['a', '10.1.1.0/24'],
      ['b', '10.1.2.0/24'],
      ['c', '10.1.3.0/24'],
    ] as const)
      found.add(site, [inBase(network), inCell(network)], {
        named: (text) => text.replaceAll(network, '${machineNetwork}'),
      });
    expect(shown(found).map(([message, sites]) => `${message}: ${sites.join(' ')}`)).toEqual([
      '10.0.0.0/8 overlaps ${machineNetwork}: a b c',
      'bad 10.1.1.0/24: a',
      'bad 10.1.2.0/24: b',
      'bad 10.1.3.0/24: c',
    ]);
  });
});
