import { expect, test } from 'vitest';

import { goUrlFault } from '../../src/formats/go-url.js';

test.each([
  { given: 'https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet', want: undefined },
  { given: 'http://user:p%40ss@proxy.example.com:3128', want: undefined },
  { given: 'http://[fe80::1%25eth0]:3128/a', want: undefined },
  {
    given: 'https://example.com/kube%zzctl',
    want: 'has a "%" that is not followed by two hexadecimal digits',
  },
  { given: 'http://%70', want: 'has an escaped character in its host' },
  { given: 'http://[fd00::1', want: 'has a host or port that cannot be read' },
  { given: 'http://a b@example.com', want: 'has an invalid character before its "@"' },
])('goUrlFault of $given', ({ given, want }) => {
  expect(goUrlFault(given)).toBe(want);
});
