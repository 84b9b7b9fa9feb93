import { expect, test } from 'vitest';

import { hasFeatureGates, splitEnvironmentFlags } from '../../../src/control-plane/etcd/arguments.js';

test('sets an option in the environment or on the command line, never both, which etcd rejects', () => {
  expect(
    splitEnvironmentFlags({ name: ['sno'], logger: ['zap'], 'experimental-max-learners': ['1'] }),
  ).toEqual({
    flags: { logger: ['zap'] },
    environment: [
      { name: 'ETCD_EXPERIMENTAL_MAX_LEARNERS', value: '1' },
      { name: 'ETCD_NAME', value: 'sno' },
    ],
  });
});

test.each([
  ['3.4', false],
  ['3.5', false],
  ['3.6', true],
  ['3.10', true],
  ['4.0', true],
] as const)('whether etcd %s has feature gates: %s', (version, want) => {
  expect(hasFeatureGates({ version })).toBe(want);
});
