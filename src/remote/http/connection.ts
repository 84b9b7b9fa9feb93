import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { connect, createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';

import type { ProxyUrls } from '../../kube/openshift-objects.js';
import { ProxyError } from './faults.js';
import { portOf, proxyFor } from './proxy.js';

export type TlsConnection = TLSSocket;

/** How to reach and verify a server. */
export interface ConnectionSettings {
  readonly proxy: ProxyUrls;
  readonly lookup: LookupFunction;
  /** Default: the trust of Node.js. */
  readonly trust?: SecureContext;
  /** Whether the caller verifies the certificate. */
  readonly isUnverified?: boolean;
}

/** The reason of an aborted signal. */
export function abortError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('interrupted');
}

/** Trusts the public CA certificates bundled with Node.js, and these. */
export function trustWith(authoritiesPem: string): SecureContext {
  return createSecureContext({
    ca: [...rootCertificates, ...(authoritiesPem === '' ? [] : [authoritiesPem])],
  });
}

/**
 * Opens a TLS connection to the host of an https URL, directly or with CONNECT through the proxy.
 * Throws ProxyError or the error of the connection. Source: RFC 9110 §9.3.6
 */
export async function connectTo(
  url: URL,
  way: ConnectionSettings,
  signal: AbortSignal,
): Promise<TlsConnection> {
  const host = withoutBrackets(url.hostname);
  const port = portOf(url);
  const tls = {
    host,
    servername: isIP(host) === 0 ? host : '',
    ...(way.isUnverified === true && { rejectUnauthorized: false }),
    ...(way.trust && { secureContext: way.trust }),
  };
  const proxy = proxyFor(url, way.proxy);
  return proxy === undefined
    ? afterHandshake(connect({ ...tls, port, lookup: way.lookup }), signal)
    : afterHandshake(
        connect({ ...tls, socket: await openTunnel(`${url.hostname}:${port}`, proxy, way, signal) }),
        signal,
      );
}

function afterHandshake(socket: TLSSocket, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      socket.destroy(abortError(signal));
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    // Never removed, so that an error during the handover of the socket does not crash the process.
    socket.on('error', reject);
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', stop);
      resolve(socket);
    });
  });
}

function openTunnel(
  target: string,
  proxy: URL,
  way: ConnectionSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const isSecure = proxy.protocol === 'https:';
  const start = isSecure ? secureRequest : plainRequest;
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return new Promise((resolve, reject) => {
    const request = start({
      method: 'CONNECT',
      host: withoutBrackets(proxy.hostname),
      port: proxy.port === '' ? (isSecure ? 443 : 80) : proxy.port,
      path: target,
      headers: {
        host: target,
        ...(user !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
      },
      agent: false,
      signal,
      lookup: way.lookup,
      ...(isSecure && way.trust && { secureContext: way.trust }),
    });
    // tinyproxy rejects credentials with 401, other proxies with 407.
    request.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(
        new ProxyError(
          [401, 407].includes(statusCode)
            ? 'invalid credentials'
            : `connection rejected (HTTP ${statusCode})`,
        ),
      );
    });
    request.once('response', ({ statusCode = 0 }) => {
      request.destroy();
      reject(new ProxyError(`CONNECT is not supported (HTTP ${statusCode})`));
    });
    request.once('error', (error) => {
      reject(new ProxyError(undefined, { cause: error }));
    });
    request.end();
  });
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
