import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import type { FaultKind } from '../../../src/remote/kubernetes/request-fault.js';
import { faultProblem, graceMs, isPermanent } from '../../../src/remote/kubernetes/fault-problem.js';
import { fakeCluster } from './fake-cluster.js';

const kinds: Readonly<Record<FaultKind, true>> = {
  'no-answer': true,
  'error-answer': true,
  'unknown-host': true,
  clock: true,
  unauthorized: true,
  forbidden: true,
  'wrong-authority': true,
  'wrong-name': true,
  'certificate-expired': true,
  'credentials-expired': true,
  kubeconfig: true,
};

function patienceWith(kind: FaultKind): string {
  const fault = { kind, detail: '' };
  if (isPermanent(fault, 0)) return 'not at all';
  if (isPermanent(fault, Number.MAX_SAFE_INTEGER)) return `${graceMs / 60_000} minutes`;
  return 'until the wait ends';
}

it('docs/wait-for.md lists for each fault how long it is retried, and the result', () => {
  const rows = readFileSync('docs/wait-for.md', 'utf8').matchAll(
    /\(`([a-z-]+)`\) *\| ([^|]+?) *\| `([^`]+)`/g,
  );
  const { reader } = fakeCluster([]);

  expect([...rows].map(([, kind, patience, code]) => [kind, patience, code])).toEqual(
    (Object.keys(kinds) as FaultKind[]).map((kind) => [
      kind,
      patienceWith(kind),
      faultProblem({ kind, detail: '' }, reader).code,
    ]),
  );
});
