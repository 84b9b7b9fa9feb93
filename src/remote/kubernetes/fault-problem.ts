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
    hint: () => 'look at the console of the node: above the login prompt it says what is wrong',
  },
  'unknown-host': {
    patience: 'whole-wait',
    code: 'cluster/unknown-host',
    says: ({ server }, detail) => `the name of ${server} gives no address${because(detail)}`,
    hint: ({ server }) =>
      `have DNS answer ${hostOf(server)} with the address of the node, or add it to /etc/hosts here`,
  },
  'error-answer': {
    patience: 'whole-wait',
    code: 'cluster/no-answer',
    says: ({ server }, detail) => `${server} does not give an answer to use${because(detail)}`,
    hint: () => 'look at the log of kube-apiserver on the node',
  },
  clock: {
    patience: 'whole-wait',
    code: 'cluster/clock',
    says: ({ server }, detail) => `${server} cannot be trusted yet${because(detail)}`,
    hint: () => 'compare `date -u` here and on the node, and set the clock that is wrong',
  },
  unauthorized: {
    patience: 'a-while',
    code: 'cluster/unauthorized',
    says: ({ server, kubeconfig }, detail) =>
      `${server} does not know the user of ${kubeconfig}${because(detail)}`,
    hint: () => 'use the auth/kubeconfig of the directory that the node was installed from',
  },
  forbidden: {
    patience: 'a-while',
    code: 'cluster/forbidden',
    says: ({ server, kubeconfig }, detail) =>
      `${server} does not let the user of ${kubeconfig} read what is waited for${because(detail)}`,
    hint: () => "use the administrator's kubeconfig, auth/kubeconfig",
  },
  'wrong-authority': {
    patience: 'none',
    code: 'cluster/wrong-authority',
    says: ({ server, kubeconfig }, detail) =>
      `the certificate of ${server} is ${detail}, so ${kubeconfig} is of another cluster, or another machine answers`,
    hint: ({ server }) => `use the kubeconfig of this cluster, and check which machine ${hostOf(server)} is`,
  },
  'wrong-name': {
    patience: 'none',
    code: 'cluster/wrong-name',
    says: ({ server }) => `the certificate of ${server} does not hold ${nameOf(server)}`,
    hint: () => 'reach the API by the name in auth/kubeconfig, or set tls-server-name in a copy of it',
  },
  'certificate-expired': {
    patience: 'none',
    code: 'cluster/certificate-expired',
    says: ({ server }) => `the certificate of ${server} has ended`,
    hint: () => 'compare `date -u` here and on the node; when both are right, install from a new config',
  },
  'credentials-expired': {
    patience: 'none',
    code: 'cluster/credentials-expired',
    says: ({ kubeconfig }, detail) => `the client certificate of ${kubeconfig} ${detail}`,
    hint: () => 'get a kubeconfig whose certificate is valid, or set the clock here when it is wrong',
  },
  kubeconfig: {
    patience: 'none',
    code: 'cluster/kubeconfig',
    says: ({ kubeconfig }, detail) => `${kubeconfig} cannot be used${because(detail)}`,
    hint: () => 'take the auth/kubeconfig that sno-install wrote, or another with --kubeconfig',
  },
};

function because(detail: string): string {
  return detail === '' ? '' : `: ${detail}`;
}

/** For a message shared by several clusters, `server` is not a URL, so there is no host name. */
function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname : 'the name that it is reached by';
}

function nameOf(server: string): string {
  return `${URL.canParse(server) ? 'the name ' : ''}${hostOf(server)}`;
}
