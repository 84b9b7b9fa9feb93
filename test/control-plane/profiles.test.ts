import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { trackedFiles } from '../support/tracked-files.js';

it('no code compares with a profile: what differs stands in one record for each', () => {
  const comparison = /(?:[!=]==?|\bcase)\s*'(?:OpenShift|Kubernetes)'/;
  const files = trackedFiles('src').filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(400);
  expect(files.filter((file) => comparison.test(readFileSync(file, 'utf8')))).toEqual([]);
});
