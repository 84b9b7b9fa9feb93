import { describe, expect, it } from 'vitest';

import { conditionOf } from '../../../src/remote/kubernetes/condition.js';

function messageOf(condition: object): string {
  return conditionOf({ status: { conditions: [{ type: 'A', ...condition }] } }, 'A').message;
}

describe('the message of a condition', () => {
  const cases = [
    { name: 'is one line', given: { message: 'a\n\tb  c ' }, want: 'a b c' },
    { name: 'cannot steer a terminal', given: { message: 'a\u001b[2Jb\u202ec\u0007' }, want: 'a [2Jb c' },
    { name: 'is cut', given: { message: 'x'.repeat(1000) }, want: `${'x'.repeat(240)}…` },
    { name: 'is the reason where there is none', given: { reason: 'AsExpected' }, want: 'AsExpected' },
    { name: 'is empty where there is neither', given: { message: 7 }, want: '' },
  ];
  it.each(cases)('$name', ({ given, want }) => {
    expect(messageOf(given)).toBe(want);
  });

  it('of an object without conditions is empty, and so is its status', () => {
    expect(conditionOf({ status: { conditions: 'none' } }, 'A')).toEqual({ status: '', message: '' });
    expect(conditionOf(undefined, 'A')).toEqual({ status: '', message: '' });
  });
});
