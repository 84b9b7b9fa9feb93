/** Failure of an API request. */
export interface Fault {
  readonly kind: FaultKind;
  /** Details for the user: a few words without a full stop. */
  readonly detail: string;
}

/** Kinds of failure, as far as the advice to the user differs. */
export type FaultKind =
  /** No response: the usual state while the node boots. */
  | 'no-answer'
  | 'unknown-host'
  /** An unusable response: the API is starting or stopping, or another program listens on the port. */
  | 'error-answer'
  /** The API's certificate is not valid yet. */
  | 'clock'
  | 'unauthorized'
  | 'forbidden'
  | 'wrong-authority'
  | 'wrong-name'
  | 'certificate-expired'
  | 'credentials-expired'
  /** The kubeconfig's certificate or key is not usable. */
  | 'kubeconfig';

/** Timeout of a request that reads. */
export const requestTimeoutMs = 10_000;

/**
 * Timeout of a request that applies an object. A webhook may take 30 seconds, and the API limits each request.
 * Source: --request-timeout of kube-apiserver, 60 seconds
 */
export const applyTimeoutMs = 65_000;

export function faultOfStatus(status: number): Fault {
  const detail = `HTTP ${status}`;
  if (status === 401) return { kind: 'unauthorized', detail };
  return { kind: status === 403 ? 'forbidden' : 'error-answer', detail };
}

/** Maps an error code of the network, TLS or the system. `undefined` means a response that cannot be parsed. */
export function faultOfCode(code: string | undefined): Fault {
  if (code === undefined)
    return { kind: 'error-answer', detail: 'the response is not from a Kubernetes API' };
  const known = Object.hasOwn(faultsByCode, code) ? faultsByCode[code] : undefined;
  if (known !== undefined) return known;
  if (code.startsWith('ERR_OSSL_')) return { kind: 'kubeconfig', detail: code };
  return { kind: 'no-answer', detail: code };
}

/** No response within the timeout of the request. */
export function timedOutAfter(timeoutMs: number): Fault {
  return { kind: 'no-answer', detail: `no response within ${timeoutMs / 1000} s` };
}

const unknownAuthority = 'signed by an unknown authority';

/** Code of our error for a response above the size limit. */
export const tooLargeCode = 'ERR_RESPONSE_TOO_LARGE';

/** Sources: nodejs.org/api/tls.html#x509-certificate-error-codes, nodejs.org/api/errors.html#common-system-errors */
const faultsByCode: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: { kind: 'no-answer', detail: 'connection refused' },
  ECONNRESET: { kind: 'no-answer', detail: 'connection closed' },
  EPIPE: { kind: 'no-answer', detail: 'connection closed' },
  EHOSTUNREACH: { kind: 'no-answer', detail: 'no route to host' },
  EHOSTDOWN: { kind: 'no-answer', detail: 'no route to host' },
  ENETUNREACH: { kind: 'no-answer', detail: 'network is unreachable' },
  ETIMEDOUT: timedOutAfter(requestTimeoutMs),
  EPROTO: { kind: 'error-answer', detail: 'server does not use TLS' },
  [tooLargeCode]: { kind: 'error-answer', detail: 'the response is too large' },
  ENOTFOUND: { kind: 'unknown-host', detail: 'no such host' },
  EAI_AGAIN: { kind: 'unknown-host', detail: 'DNS does not answer' },
  // From a credential plugin that does not exist; sockets never fail with ENOENT.
  ENOENT: { kind: 'kubeconfig', detail: 'a program named in it does not exist' },
  CERT_NOT_YET_VALID: { kind: 'clock', detail: 'certificate is not valid yet' },
  CERT_HAS_EXPIRED: { kind: 'certificate-expired', detail: 'certificate has expired' },
  ERR_TLS_CERT_ALTNAME_INVALID: { kind: 'wrong-name', detail: 'certificate is not valid for this name' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { kind: 'wrong-authority', detail: unknownAuthority },
  SELF_SIGNED_CERT_IN_CHAIN: { kind: 'wrong-authority', detail: unknownAuthority },
  UNABLE_TO_GET_ISSUER_CERT: { kind: 'wrong-authority', detail: unknownAuthority },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { kind: 'wrong-authority', detail: unknownAuthority },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { kind: 'wrong-authority', detail: unknownAuthority },
  CERT_SIGNATURE_FAILURE: { kind: 'wrong-authority', detail: unknownAuthority },
};
