import { expect, it } from 'vitest';

import { faultOfCode, type Fault } from '../../../src/remote/kubernetes/request-fault.js';

// Codes that a real server can cause are in kubernetes-client.test.ts.
const cases: readonly { code: string; want: Fault }[] = [
  { code: 'EHOSTUNREACH', want: { kind: 'no-answer', detail: 'no route to host' } },
  { code: 'ENETUNREACH', want: { kind: 'no-answer', detail: 'network is unreachable' } },
  { code: 'ETIMEDOUT', want: { kind: 'no-answer', detail: 'no response within 10 s' } },
  { code: 'EAI_AGAIN', want: { kind: 'unknown-host', detail: 'DNS does not answer' } },
  {
    code: 'ERR_OSSL_PEM_NO_START_LINE',
    want: { kind: 'kubeconfig', detail: 'ERR_OSSL_PEM_NO_START_LINE' },
  },
  { code: 'ENEW', want: { kind: 'no-answer', detail: 'ENEW' } },
  { code: 'toString', want: { kind: 'no-answer', detail: 'toString' } },
];
it.each(cases)('$code is $want.kind', ({ code, want }) => {
  expect(faultOfCode(code)).toEqual(want);
});
