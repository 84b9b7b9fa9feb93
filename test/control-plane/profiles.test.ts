import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { trackedFiles } from '../support/tracked-files.js';

it('no code compares with a profile: all differences are in one record per profile', () => {
  const comparison = /(?:[!=]==?|\bcase)\s*'(?:OpenShift|Kubernetes)'/;
  const files = trackedFiles('src').filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(400);
  expect(files.filter((file) => comparison.test(readFileSync(file, 'utf8')))).toEqual([]);
});
