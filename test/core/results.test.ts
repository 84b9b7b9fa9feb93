import { expect, test } from 'vitest';

import { isError, problem } from '../../src/core/problem.js';
import { failure, problemsOf, resultOf, success } from '../../src/core/result.js';

const error = problem('dir/locked', 'locked', { at: { file: 'a' }, hint: 'wait' });
const warning = problem('media/serve-unmade', 'no outputs yet');

test('a problem has the severity of its code and the given fields', () => {
  expect(error).toEqual({
    code: 'dir/locked',
    severity: 'error',
    message: 'locked',
    at: { file: 'a' },
    hint: 'wait',
  });
  expect(warning).toEqual({ code: 'media/serve-unmade', severity: 'warning', message: 'no outputs yet' });
  expect([error, warning].map(isError)).toEqual([true, false]);
});

test('a result has a value with warnings, and no value with errors', () => {
  expect(success(1)).toEqual({ ok: true, value: 1, warnings: [] });
  expect(resultOf(1, [warning])).toEqual(success(1, [warning]));
  expect(resultOf(1, [warning, error])).toEqual({ ok: false, problems: [warning, error] });
  expect(problemsOf(success(1, [warning]))).toEqual([warning]);
  expect(problemsOf(failure(error, warning))).toEqual([error, warning]);
});
