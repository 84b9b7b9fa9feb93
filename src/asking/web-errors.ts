import { systemErrorCode } from '../disk/file-system-problem.js';
import type { PullAnswer } from '../preflight/answers.js';

/** A proxy that is not there or does not do what it is asked. */
export class ProxyError extends Error {
  /** A few words; without them the cause says what happened. */
  constructor(
    readonly reason: string | undefined,
    options?: ErrorOptions,
  ) {
    super('a proxy failed', options);
  }
}

/** An answer that is none. The reason is a few words of our own. */
export class AnswerError extends Error {
  constructor(readonly reason: string) {
    super('an answer made no sense');
  }
}

/** What an error on the way to a registry means. Nothing of what was sent or received is repeated. */
export function answerOfError(error: unknown, isTooLate: boolean): PullAnswer {
  if (error instanceof ProxyError) {
    const reason = error.reason ?? reasonOf(error.cause, isTooLate);
    return { kind: 'proxy', reason: `the proxy cannot be used: ${reason}` };
  }
  if (error instanceof AnswerError) return { kind: 'failing', reason: error.reason };
  const code = systemErrorCode(error) ?? '';
  const untrusted = certificateFaults[code];
  if (untrusted !== undefined) return { kind: 'untrusted', reason: untrusted };
  return { kind: 'unreachable', reason: reasonOf(error, isTooLate) };
}

function reasonOf(error: unknown, isTooLate: boolean): string {
  if (isTooLate) return 'nothing came back in time';
  const code = systemErrorCode(error);
  return code === undefined
    ? 'the connection failed'
    : (certificateFaults[code] ?? connectionFaults[code] ?? code);
}

/** Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificateFaults: Readonly<Record<string, string>> = {
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an authority that is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate does not hold yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other names',
};

/** Source: nodejs.org/api/errors.html#common-system-errors */
const connectionFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to its network',
  ETIMEDOUT: 'nothing came back in time',
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'the name servers do not answer for its name',
  EPROTO: 'what listens there does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what listens there does not speak TLS',
};
