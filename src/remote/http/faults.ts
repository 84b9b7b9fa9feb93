import { systemErrorCode } from '../../disk/system-error.js';

/** The proxy is unreachable or rejects the request. */
export class ProxyError extends Error {
  /** A few words. If absent, the cause describes the error. */
  constructor(
    readonly reason: string | undefined,
    options?: ErrorOptions,
  ) {
    super('a proxy failed', options);
  }
}

/** Description of a failed connection. Quotes nothing that was sent or received. */
export interface ConnectionFailure {
  /** Node.js error code; empty if there is none. */
  readonly code: string;
  /** Undefined for an unknown code. */
  readonly words: string | undefined;
  readonly isOfProxy: boolean;
  /** Whether the certificate of the server, or of the proxy, is not trusted. */
  readonly isCertificate: boolean;
  /** A retry fails too, such as with a wrong host name or port. */
  readonly isPermanent: boolean;
}

export function connectionFailure(error: unknown): ConnectionFailure {
  const isOfProxy = error instanceof ProxyError;
  const code = systemErrorCode(isOfProxy ? error.cause : error) ?? '';
  const answer = isOfProxy ? error.reason : undefined;
  const isCertificate = answer === undefined && certificateFaults[code] !== undefined;
  return {
    code,
    words: answer ?? certificateFaults[code] ?? connectionFaults[code],
    isOfProxy,
    isCertificate,
    isPermanent: answer !== undefined || isCertificate || permanentErrors.has(code),
  };
}

/** Descriptions of faults in a server certificate, by Node.js error code. Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
export const certificateFaults: Readonly<Record<string, string>> = {
  UNABLE_TO_GET_ISSUER_CERT: 'certificate signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate signed by an unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate signed by an unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is not valid for this name',
};

/** Descriptions of connection failures, by Node.js error code. Source: nodejs.org/api/errors.html#common-system-errors */
const connectionFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  ENOTFOUND: 'host name does not resolve',
  EAI_AGAIN: 'name servers do not answer',
  EPROTO: 'server does not use TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'server does not use TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'server does not use TLS',
};

const permanentErrors = new Set([
  'ENOTFOUND',
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
]);
