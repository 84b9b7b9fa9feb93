import { expect, test } from 'vitest';

import { mutationFigures } from '../../scripts/mutation/mutation-figures.mjs';

test('a mutant without coverage counts as not detected', () => {
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
