import { lookup } from 'node:dns';
import { Agent, type ClientRequestArgs } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { Duplex } from 'node:stream';

import type { ProxyUrls } from '../../kube/openshift-objects.js';
import { connectTo, proxyFor, trustWith } from '../queries/registry-connection.js';

/** Trust and proxy of connections to a store. */
export interface StoreTrust {
  /** CA certificates in PEM, trusted in addition to the public ones. */
  readonly authoritiesPem?: string;
  readonly proxy?: ProxyUrls;
}

/** Kept connections to the server of a URL, for https through the proxy if there is one. */
export function storeAgent(url: string, { authoritiesPem, proxy = {} }: StoreTrust): Agent {
  const kept = { keepAlive: true };
  if (url.startsWith('http:')) return new Agent(kept);
  if (proxyFor(new URL(url), proxy) !== undefined) return new TunnelAgent(url, proxy, authoritiesPem ?? '');
  return new SecureAgent({
    ...kept,
    ...(authoritiesPem !== undefined && { ca: [...rootCertificates, authoritiesPem] }),
  });
}

/** Time to connect to the proxy and through it. */
const connectMs = 30_000;

class TunnelAgent extends SecureAgent {
  readonly #url: URL;
  readonly #way: Parameters<typeof connectTo>[1];

  constructor(url: string, proxy: ProxyUrls, authoritiesPem: string) {
    super({ keepAlive: true });
    this.#url = new URL(url);
    this.#way = { proxy, lookup, trust: trustWith(authoritiesPem) };
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): null {
    connectTo(this.#url, this.#way, AbortSignal.timeout(connectMs)).then(
      (socket) => callback?.(null, socket),
      // Node.js ignores the stream of an error.
      (error: unknown) =>
        callback?.(error instanceof Error ? error : new Error('connection failed'), undefined as never),
    );
    return null;
  }
}
