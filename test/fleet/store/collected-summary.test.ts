import { expect, test } from 'vitest';

import { problem, type Problem } from '../../../src/core/problem.js';
import type { CollectResult } from '../../../src/fleet/store/collect-site.js';
import { collectedSummary } from '../../../src/fleet/store/collect-sites.js';

const damaged = problem('store/damaged', 'the store is damaged');

test.each<[CollectResult, readonly Problem[], unknown]>([
  ['collected', [], [{ name: 'a', result: 'created' }]],
  ['unchanged', [], [{ name: 'a', result: 'created' }]],
  ['stale', [problem('store/site-stale', 'old')], [{ name: 'a', result: 'created' }]],
  [
    'missing',
    [problem('store/site-missing', 'gone')],
    [{ name: 'a', result: 'failed', problems: ['store/site-missing'] }],
  ],
  ['failed', [damaged, damaged], [{ name: 'a', result: 'failed', problems: ['store/damaged'] }]],
  ['failed', [problem('store/unreachable', 'no answer')], []],
])('fleet.json contains the result of a site that is %s', (is, problems, want) => {
  expect(collectedSummary({ name: 'a', is, facts: {}, problems })).toEqual(want);
});
