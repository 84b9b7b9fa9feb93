import { expect, it } from 'vitest';

import { commonCpus, isSameCpus, parseCpuSet } from '../../src/formats/cpu-set.js';

function cpus(text: string): ReadonlySet<number> {
  const parsed = parseCpuSet(text);
  if (parsed === undefined) throw new Error(`not a list of CPUs: ${text}`);
  return parsed;
}

it.each([
  ['', []],
  ['3', [3]],
  ['0-2,8', [0, 1, 2, 8]],
  ['1,1', [1]],
])('"%s"', (text, want) => {
  expect([...cpus(text)]).toEqual(want);
});

it.each(['0 - 3', '0, 1', '3-1', '1-', '-1', 'all', '0-99999', '0x3', '1,,2'])('"%s" is no list', (text) => {
  expect(parseCpuSet(text)).toBeUndefined();
});

it('compares lists', () => {
  expect(commonCpus(cpus('0-8,12'), cpus('2-3,8-20'))).toBe('2-3,8,12');
  expect(commonCpus(cpus('0-1'), cpus('2-3'))).toBe('');
  expect(isSameCpus(cpus('0,1,2'), cpus('0-2'))).toBe(true);
  expect(isSameCpus(cpus('0-1'), cpus('0-2'))).toBe(false);
});
