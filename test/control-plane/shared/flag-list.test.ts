import { expect, test } from 'vitest';

import { flagArguments } from '../../../src/control-plane/shared/flag-list.js';

test('sorts flags, keeps the order of one flag’s values and leaves out a flag without any', () => {
  const flags = { v: ['2'], 'tls-sni-cert-key': ['b', 'a'], 'feature-gates': [] };
  expect(flagArguments(flags)).toEqual(['--tls-sni-cert-key=b', '--tls-sni-cert-key=a', '--v=2']);
});
