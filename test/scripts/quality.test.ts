import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { goalsOf } from '../../scripts/docs/quality/goals.mjs';
import { mutationFigures } from '../../scripts/mutation/mutation-figures.mjs';

/** A row of a table of measurements. */
function row(figure: string, goal: string): string {
  return `| name | 5 ms | ${figure} | ${goal} |`;
}

test.each([
  { line: row('1.50 × bare node', '≤ 1.5 × bare node'), met: [true] },
  { line: row('1.51 × bare node', '≤ 1.5 × bare node'), met: [false] },
  { line: row('746 MB/s, 745 ms of CPU a GB: 0.69 × nginx', '≥ 0.7 × nginx'), met: [false] },
  { line: row('746 MB/s, 745 ms of CPU a GB: 0.70 × nginx', '≥ 0.7 × nginx'), met: [true] },
  { line: row('86 MB', '≤ 85 MB'), met: [false] },
  { line: row('3 s', ''), met: [] },
  { line: '| measured | median | figure | goal |', met: [] },
  { line: 'text with ≤ 1 MB in it', met: [] },
])('of $line, whether a goal is met: $met', ({ line, met }) => {
  expect(goalsOf(`before\n${line}\nafter`).map(({ isMet }) => isMet)).toEqual(met);
});

test('a figure without the unit of its goal is not passed over', () => {
  expect(() => goalsOf(row('5 s', '≤ 85 MB'))).toThrow('no figure in MB in "5 s"');
});

test('the measurements that are kept have goals', () => {
  expect(goalsOf(readFileSync('bench/README.md', 'utf8')).length).toBeGreaterThan(10);
});

test('a change that no test runs through counts as one that is not noticed', () => {
  const mutants = (...states: readonly string[]): { readonly mutants: readonly { status: string }[] } => ({
    mutants: states.map((status) => ({ status })),
  });
  const files = {
    'a.ts': mutants('Killed', 'Killed', 'Survived', 'Ignored', 'CompileError'),
    'b.ts': mutants('Timeout', 'NoCoverage', 'Killed'),
  };
  expect(mutationFigures({ files })).toEqual({
    score: 66.6,
    killed: 3,
    timedOut: 1,
    survived: 1,
    notCovered: 1,
    ignored: 1,
  });
});
