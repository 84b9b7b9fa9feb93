import { Agent } from 'node:http';
import { Agent as SecureAgent, type AgentOptions, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, createSecureContext, rootCertificates, type TLSSocket } from 'node:tls';

import { certificateFaults, connectionFaults } from '../../core/connection-faults.js';
import { systemErrorCode } from '../../disk/system-error.js';
import { BmcFault } from './bmc-fault.js';

/** Trusted certificates of a BMC. */
export interface BmcTrust {
  /** SHA-256 of the BMC's certificate, in lower-case hex. If set, no other property of the certificate is checked. */
  readonly fingerprint?: string;
  /** CA certificates in PEM, in addition to the public ones bundled with Node.js. */
  readonly authoritiesPem?: string;
}

type Created = (error: Error | null, socket: Duplex) => void;

/** Connects to one BMC, one connection at a time since most have little memory. Sends nothing before it has verified the certificate. */
export function bmcAgent({ protocol, hostname }: URL, trust: BmcTrust, connectMs: number): Agent {
  const kept = { keepAlive: true, maxSockets: 1 };
  if (protocol === 'http:') return new Agent(kept);
  return new VerifyingAgent({ ...kept, host: hostname.replace(/^\[|\]$/g, '') }, trust, connectMs);
}

class VerifyingAgent extends SecureAgent {
  readonly #host: string;
  readonly #trust: BmcTrust;
  readonly #connectMs: number;
  /** Sockets that are still connecting, which the agent does not track. */
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
      // Verified below, where the fingerprint can be reported.
      rejectUnauthorized: false,
      ...(authoritiesPem !== undefined && {
        secureContext: createSecureContext({ ca: [...rootCertificates, authoritiesPem] }),
      }),
    });
    const late = setTimeout(() => {
      socket.destroy(new BmcFault('unreachable', 'connection timed out', { isLate: true }));
    }, this.#connectMs);
    this.#pending.add(socket);
    const settled = (): void => {
      clearTimeout(late);
      this.#pending.delete(socket);
    };
    socket.once('close', settled);
    // Never removed, so that an error during the handover of the socket does not crash the process.
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
    for (const socket of this.#pending) socket.destroy(new BmcFault('stopped', 'interrupted'));
    super.destroy();
  }
}

function certificateFault(socket: TLSSocket, expected: string | undefined): BmcFault | undefined {
  // Without a certificate the object is empty, contrary to its type.
  const { fingerprint256 } = socket.getPeerCertificate() as { readonly fingerprint256?: string };
  const shown = fingerprint256?.replaceAll(':', '').toLowerCase();
  const known = shown === undefined ? {} : { fingerprint: shown };
  if (expected !== undefined) {
    const words = 'its certificate does not match the configured fingerprint';
    return shown === expected ? undefined : new BmcFault('certificate', words, known);
  }
  if (socket.authorized) return undefined;
  // This is an error code, contrary to its type.
  const code = String(socket.authorizationError);
  return new BmcFault(
    'certificate',
    certificateFaults[code] ?? `its certificate is not trusted (${code})`,
    known,
  );
}

/** Maps a connection error. */
export function connectionFault(error: unknown): BmcFault {
  if (error instanceof BmcFault) return error;
  const code = systemErrorCode(error) ?? '';
  return new BmcFault('unreachable', connectionFaults[code] ?? 'the connection failed', {
    mayPass: !permanentErrors.has(code),
  });
}

/** Permanent errors, such as a wrong host name or port: not retried. */
const permanentErrors = new Set([
  'ENETUNREACH',
  'ENOTFOUND',
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
]);
