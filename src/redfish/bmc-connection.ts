import { Agent } from 'node:http';
import { Agent as SecureAgent, type AgentOptions, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, createSecureContext, rootCertificates, type TLSSocket } from 'node:tls';

import { systemErrorCode } from '../disk/file-system-problem.js';
import { BmcFault } from './bmc-fault.js';

/** Whose certificates are believed. */
export interface BmcTrust {
  /** SHA-256 of the one certificate, in lower-case hex; then nothing else about it counts. */
  readonly fingerprint?: string;
  /** Authorities in PEM, beside the public ones that Node.js brings. */
  readonly authoritiesPem?: string;
}

type Created = (error: Error | null, socket: Duplex) => void;

/** Connections to one BMC, one at a time: most have little memory. Nothing is sent before the certificate was judged. */
export function connectionsTo({ protocol, hostname }: URL, trust: BmcTrust, connectMs: number): Agent {
  const kept = { keepAlive: true, maxSockets: 1 };
  if (protocol === 'http:') return new Agent(kept);
  return new JudgingAgent({ ...kept, host: hostname.replace(/^\[|\]$/g, '') }, trust, connectMs);
}

class JudgingAgent extends SecureAgent {
  readonly #host: string;
  readonly #trust: BmcTrust;
  readonly #connectMs: number;
  /** Those that come about: no agent knows of them yet. */
  readonly #pending = new Set<TLSSocket>();

  constructor(options: AgentOptions & { readonly host: string }, trust: BmcTrust, connectMs: number) {
    super(options);
    this.#host = options.host;
    this.#trust = trust;
    this.#connectMs = connectMs;
  }

  override createConnection({ port }: RequestOptions, created: Created = () => undefined): undefined {
    const host = this.#host;
    const { fingerprint, authoritiesPem } = this.#trust;
    const socket = connect({
      host,
      port: Number(port ?? 443),
      servername: isIP(host) === 0 ? host : '',
      // Judged below, where what it shows can be told.
      rejectUnauthorized: false,
      ...(authoritiesPem !== undefined && {
        secureContext: createSecureContext({ ca: [...rootCertificates, authoritiesPem] }),
      }),
    });
    const late = setTimeout(() => {
      socket.destroy(new BmcFault('unreachable', 'no connection came about in time', { isLate: true }));
    }, this.#connectMs);
    this.#pending.add(socket);
    const settled = (): void => {
      clearTimeout(late);
      this.#pending.delete(socket);
    };
    socket.once('close', settled);
    // Stays, so that an error between two owners of the connection ends nothing but it.
    socket.on('error', (error) => {
      settled();
      created(connectionFault(error), socket);
    });
    socket.once('secureConnect', () => {
      settled();
      const fault = certificateFault(socket, fingerprint);
      if (fault) socket.destroy();
      created(fault ?? null, socket);
    });
    return undefined;
  }

  override destroy(): void {
    for (const socket of this.#pending) socket.destroy(new BmcFault('stopped', 'it was stopped'));
    super.destroy();
  }
}

function certificateFault(socket: TLSSocket, expected: string | undefined): BmcFault | undefined {
  // Without a certificate the object is empty, whatever its type says.
  const { fingerprint256 } = socket.getPeerCertificate() as { readonly fingerprint256?: string };
  const shown = fingerprint256?.replaceAll(':', '').toLowerCase();
  const known = shown === undefined ? {} : { fingerprint: shown };
  if (expected !== undefined) {
    const words = 'it shows another certificate than the one that is written';
    return shown === expected ? undefined : new BmcFault('certificate', words, known);
  }
  if (socket.authorized) return undefined;
  // A code, whatever its type says.
  const code = String(socket.authorizationError);
  return new BmcFault(
    'certificate',
    certificateFaults[code] ?? `its certificate is not believed (${code})`,
    known,
  );
}

/** What an error of a connection means. */
export function connectionFault(error: unknown): BmcFault {
  if (error instanceof BmcFault) return error;
  const [words, mayPass] = connectionFaults[systemErrorCode(error) ?? ''] ?? ['the connection failed', true];
  return new BmcFault('unreachable', words, { mayPass });
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

/** Words, and whether it may pass. Source: nodejs.org/api/errors.html#common-system-errors */
const connectionFaults: Readonly<Record<string, readonly [string, boolean]>> = {
  ECONNREFUSED: ['nothing listens there', true],
  ECONNRESET: ['the connection was closed', true],
  EPIPE: ['the connection was closed', true],
  EHOSTUNREACH: ['there is no route to the host', true],
  ENETUNREACH: ['there is no route to its network', false],
  ETIMEDOUT: ['nothing came back in time', true],
  ENOTFOUND: ['its name has no address', false],
  EAI_AGAIN: ['the name servers do not answer for its name', true],
  EPROTO: ['what listens there does not speak TLS', false],
  ERR_SSL_WRONG_VERSION_NUMBER: ['what listens there does not speak TLS', false],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['what listens there does not speak TLS', false],
};
