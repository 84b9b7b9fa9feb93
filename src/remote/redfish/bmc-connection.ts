import { lookup } from 'node:dns';

import { connectTo, trustWith, type ConnectionSettings, type TlsConnection } from '../http/connection.js';
import { certificateFaults, connectionFailure } from '../http/faults.js';
import { keptConnections, type KeptConnections } from '../http/kept-connections.js';
import { BmcFault } from './bmc-fault.js';

/** Trusted certificates of a BMC. */
export interface BmcTrust {
  /** SHA-256 of the BMC's certificate, in lower-case hex. If set, no other property of the certificate is checked. */
  readonly fingerprint?: string;
  /** CA certificates in PEM, in addition to the public ones bundled with Node.js. */
  readonly authoritiesPem?: string;
}

/** Connects to one BMC, one connection at a time since most have little memory. Sends nothing before it has verified the certificate. */
export function bmcAgent(origin: URL, trust: BmcTrust, connectMs: number): KeptConnections {
  return keptConnections(origin, {
    open: (signal) => openVerified(origin, trust, signal),
    connectMs,
    maxSockets: 1,
  });
}

async function openVerified(
  origin: URL,
  { fingerprint, authoritiesPem }: BmcTrust,
  signal: AbortSignal,
): Promise<TlsConnection> {
  const way: ConnectionSettings = {
    proxy: {},
    lookup,
    // Verified below, where the fingerprint can be reported.
    isUnverified: true,
    ...(authoritiesPem !== undefined && { trust: trustWith(authoritiesPem) }),
  };
  const socket = await connectTo(origin, way, signal).catch((error: unknown) => {
    throw signal.aborted ? lateOrStopped(signal) : connectionFault(error);
  });
  const fault = certificateFault(socket, fingerprint);
  if (fault === undefined) return socket;
  socket.destroy();
  throw fault;
}

function lateOrStopped({ reason }: AbortSignal): BmcFault {
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? new BmcFault('unreachable', 'connection timed out', { isLate: true })
    : new BmcFault('stopped', 'interrupted');
}

function certificateFault(socket: TlsConnection, expected: string | undefined): BmcFault | undefined {
  // The object is empty if there is no certificate, contrary to its type.
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
  const { code, words = 'the connection failed', isPermanent } = connectionFailure(error);
  // This machine has no route to the network of the BMC; a retry does not help.
  return new BmcFault('unreachable', words, { mayPass: !isPermanent && code !== 'ENETUNREACH' });
}
