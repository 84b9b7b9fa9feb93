import { problem, type Problem } from '../../core/problem.js';
import type { ProblemCode } from '../../core/problem.js';
import type { Fault, FaultKind } from './request-fault.js';
import type { ClusterReader } from './reader.js';

type Where = Pick<ClusterReader, 'server' | 'kubeconfig'>;

/** How long to tolerate a fault: until the wait ends, for `graceMs`, or not at all. */
type Tolerance = 'whole-wait' | 'a-while' | 'none';

interface FaultWording {
  readonly patience: Tolerance;
  readonly code: ProblemCode;
  /** The message of the problem. */
  readonly says: (where: Where, detail: string) => string;
  readonly hint: (where: Where) => string;
}

/**
 * How long to retry after 401 and 403 answers. A starting API server serves before its roles exist, and before the server that
 * validates OpenShift tokens runs. Both take seconds to a minute.
 * @internal
 */
export const graceMs = 2 * 60_000;

/** Whether to give up on a fault that has lasted `lastedMs`. */
export function isPermanent({ kind }: Fault, lastedMs: number): boolean {
  const { patience } = wordings[kind];
  return patience === 'none' || (patience === 'a-while' && lastedMs >= graceMs);
}

/** The fault in a few words without its detail, for progress messages. */
export function faultSummary({ kind }: Fault, { kubeconfig }: ClusterReader): string {
  return wordings[kind].says({ server: 'the API', kubeconfig }, '');
}

/** How to fix the fault. */
export function faultHint({ kind }: Fault, where: ClusterReader): string {
  return wordings[kind].hint(where);
}

/** The problem that ends a wait because of a fault. */
export function faultProblem(fault: Fault, where: ClusterReader): Problem {
  const { code, says, hint } = wordings[fault.kind];
  return problem(code, says(where, fault.detail), { hint: hint(where) });
}

const wordings: Readonly<Record<FaultKind, FaultWording>> = {
  'no-answer': {
    patience: 'whole-wait',
    code: 'cluster/no-answer',
    says: ({ server }, detail) => `${server} does not answer${because(detail)}`,
    hint: () => 'look at the console of the node: errors are shown above the login prompt',
  },
  'unknown-host': {
    patience: 'whole-wait',
    code: 'cluster/unknown-host',
    says: ({ server }, detail) => `cannot resolve the host name of ${server}${because(detail)}`,
    hint: ({ server }) =>
      `add a DNS record for ${hostOf(server)} with the address of the node, or add it to /etc/hosts on this machine`,
  },
  'error-answer': {
    patience: 'whole-wait',
    code: 'cluster/no-answer',
    says: ({ server }, detail) => `${server} does not give a valid response${because(detail)}`,
    hint: () => 'check the log of kube-apiserver on the node',
  },
  clock: {
    patience: 'whole-wait',
    code: 'cluster/clock',
    says: ({ server }, detail) => `the certificate of ${server} is not yet valid${because(detail)}`,
    hint: () => 'compare `date -u` on this machine and on the node, and correct the wrong clock',
  },
  unauthorized: {
    patience: 'a-while',
    code: 'cluster/unauthorized',
    says: ({ server, kubeconfig }, detail) =>
      `${server} rejected the credentials of ${kubeconfig}${because(detail)}`,
    hint: () => 'use the auth/kubeconfig in the output directory of this cluster',
  },
  forbidden: {
    patience: 'a-while',
    code: 'cluster/forbidden',
    says: ({ server, kubeconfig }, detail) =>
      `the user of ${kubeconfig} has no permission to read the cluster state from ${server}${because(detail)}`,
    hint: () => 'use auth/kubeconfig, the kubeconfig of the cluster administrator',
  },
  'wrong-authority': {
    patience: 'none',
    code: 'cluster/wrong-authority',
    says: ({ server, kubeconfig }, detail) =>
      `the certificate of ${server} is ${detail}: either ${kubeconfig} belongs to another cluster, or another machine has this address`,
    hint: ({ server }) => `use the kubeconfig of this cluster, and check which machine ${hostOf(server)} is`,
  },
  'wrong-name': {
    patience: 'none',
    code: 'cluster/wrong-name',
    says: ({ server }) => `the certificate of ${server} is not valid for ${nameOf(server)}`,
    hint: () => 'use the server name of auth/kubeconfig, or set tls-server-name in a copy of it',
  },
  'certificate-expired': {
    patience: 'none',
    code: 'cluster/certificate-expired',
    says: ({ server }) => `the certificate of ${server} has expired`,
    hint: () =>
      'compare `date -u` on this machine and on the node; if both are correct, create a new config and install again',
  },
  'credentials-expired': {
    patience: 'none',
    code: 'cluster/credentials-expired',
    says: ({ kubeconfig }, detail) => `the client certificate of ${kubeconfig} ${detail}`,
    hint: () => 'use a kubeconfig with a valid certificate, or correct the clock of this machine',
  },
  kubeconfig: {
    patience: 'none',
    code: 'cluster/kubeconfig',
    says: ({ kubeconfig }, detail) => `${kubeconfig} is not usable${because(detail)}`,
    hint: () => 'use the auth/kubeconfig that sno-install wrote, or name another file with --kubeconfig',
  },
};

function because(detail: string): string {
  return detail === '' ? '' : `: ${detail}`;
}

/** For a message shared by several clusters, `server` is not a URL, so there is no host name. */
function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname : 'the name in the server URL';
}

function nameOf(server: string): string {
  return `${URL.canParse(server) ? 'the name ' : ''}${hostOf(server)}`;
}
