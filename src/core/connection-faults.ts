/** Descriptions of faults in a server certificate, by Node.js error code. Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
export const certificateFaults: Readonly<Record<string, string>> = {
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an authority that is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate does not hold yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other names',
};

/** Descriptions of connection failures, by Node.js error code. Source: nodejs.org/api/errors.html#common-system-errors */
export const connectionFaults: Readonly<Record<string, string>> = {
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
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what listens there does not speak TLS',
};
