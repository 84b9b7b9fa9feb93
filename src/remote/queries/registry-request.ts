import type { ConnectionSettings } from '../http/connection.js';
import { openHttp, sendHttpOnce, type HttpResponse, type HttpStream } from '../http/request.js';
import type { PullPlace } from '../preflight/pull-places.js';

/** Access to a registry. */
export interface RegistryAccess {
  readonly way: ConnectionSettings;
  /** `user:password` in base64; undefined without credentials. */
  readonly credentials: string | undefined;
}

/** Part of a repository to read. */
export interface RegistryObject {
  /** Below the repository, such as `manifests/4.21.0-x86_64` or `blobs/sha256:…`. */
  readonly path: string;
  readonly accept?: string;
  readonly maxBytes: number;
}

/** Source: opencontainers/image-spec media-types.md; distribution/distribution, manifest v2 schema 2 */
export const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Size that registries should accept for a manifest. Source: opencontainers/distribution-spec, "Pushing Manifests" */
export const maxManifestBytes = 4 * 1024 * 1024;

/**
 * Reads an object as the node would: first without credentials, then as the registry's challenge requires. Throws ResponseError or the
 * error of the connection. Source: opencontainers/distribution-spec, "Pulling manifests"; distribution/distribution docs/spec/auth/token.md
 */
export async function askRegistry(
  place: Pick<PullPlace, 'registry' | 'repository'>,
  { path, accept, maxBytes }: RegistryObject,
  { signal, ...access }: RegistryAccess & { readonly signal: AbortSignal },
): Promise<HttpResponse> {
  const url = urlIn(place, path);
  const headers = accept === undefined ? {} : { accept };
  const edge = { way: access.way, signal, maxBytes };
  const first = await followRedirects(url, headers, edge);
  if (first.status !== 401) return first;
  const authorization = await authorizationFor(first, place, access, signal);
  return authorization === undefined ? first : followRedirects(url, { ...headers, authorization }, edge);
}

/** A repository whose blobs are read with one authorization, as long as it is valid. */
export interface BlobRepository {
  /** URL of a blob, for messages. */
  readonly urlOf: (digest: string) => URL;
  /** Requests a blob. Throws ResponseError or the error of the connection. */
  readonly open: (
    digest: string,
    headers: Readonly<Record<string, string>>,
    edge: { readonly stop: AbortSignal; readonly idleMs: number },
  ) => Promise<HttpStream>;
}

/** Source: opencontainers/distribution-spec, "Pulling blobs" */
export function blobRepository(
  place: Pick<PullPlace, 'registry' | 'repository'>,
  access: RegistryAccess,
): BlobRepository {
  const urlOf = (digest: string): URL => urlIn(place, `blobs/${digest}`);
  let authorization: string | undefined;
  return {
    urlOf,
    open: async (digest, headers, { stop, idleMs }) => {
      const send = (): Promise<HttpStream> => {
        const own = authorization === undefined ? headers : { ...headers, authorization };
        return openRedirected(urlOf(digest), own, { way: access.way, signal: stop, idleMs });
      };
      const first = await send();
      if (first.status !== 401) return first;
      first.close();
      authorization = await authorizationFor(first, place, access, stop);
      return send();
    },
  };
}

function urlIn({ registry, repository }: Pick<PullPlace, 'registry' | 'repository'>, path: string): URL {
  // Docker Hub's registry has another host name than its images. Source: containers/image docker/docker_client.go
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  return new URL(`https://${host}/v2/${repository.slice(registry.length + 1)}/${path}`);
}

async function openRedirected(
  url: URL,
  headers: Readonly<Record<string, string>>,
  edge: { readonly way: ConnectionSettings; readonly signal: AbortSignal; readonly idleMs: number },
  left = maxRedirects,
): Promise<HttpStream> {
  const stream = await openHttp({ method: 'GET', url, headers }, edge);
  const redirect = redirectOf(stream, url, headers, left);
  if (redirect === undefined) return stream;
  stream.close();
  return openRedirected(redirect.url, redirect.headers, edge, left - 1);
}

interface Edge {
  readonly way: ConnectionSettings;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

const maxRedirects = 3;

async function followRedirects(
  url: URL,
  headers: Readonly<Record<string, string>>,
  edge: Edge,
  left = maxRedirects,
): Promise<HttpResponse> {
  const answer = await sendWebRequest(url, headers, edge);
  const redirect = redirectOf(answer, url, headers, left);
  return redirect === undefined ? answer : followRedirects(redirect.url, redirect.headers, edge, left - 1);
}

interface Redirect {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The request that a redirect demands; undefined for other responses. Removes the credentials on a redirect to another host. */
function redirectOf(
  { status, headers: { location } }: Pick<HttpResponse, 'status' | 'headers'>,
  url: URL,
  headers: Readonly<Record<string, string>>,
  left: number,
): Redirect | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (left === 0 || next?.protocol !== 'https:')
    throw new ResponseError('too many redirects, or a redirect without TLS');
  const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization'));
  return { url: next, headers: next.host === url.host ? headers : plain };
}

/** Authorization header for the registry's challenge; undefined if it needs credentials and there are none. */
async function authorizationFor(
  { headers }: Pick<HttpResponse, 'headers'>,
  { registry, repository }: Pick<PullPlace, 'registry' | 'repository'>,
  { way, credentials }: RegistryAccess,
  signal: AbortSignal,
): Promise<string | undefined> {
  const challenge = headers['www-authenticate'] ?? '';
  const basic = credentials === undefined ? undefined : `Basic ${credentials}`;
  if (!/^bearer /i.test(challenge)) return basic;
  const { realm = '', service } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const url = URL.canParse(realm) ? new URL(realm) : undefined;
  if (url?.protocol !== 'https:') throw new ResponseError('the token server does not use TLS');
  if (service !== undefined) url.searchParams.set('service', service);
  url.searchParams.set('scope', `repository:${repository.slice(registry.length + 1)}:pull`);
  const answer = await followRedirects(url, basic === undefined ? {} : { authorization: basic }, {
    way,
    signal,
    maxBytes: maxManifestBytes,
  });
  if (answer.status === 401 || answer.status === 403) return undefined;
  if (answer.status !== 200) throw new ResponseError(`the token server failed (HTTP ${answer.status})`);
  return `Bearer ${tokenIn(answer.body)}`;
}

function tokenIn(body: Buffer): string {
  try {
    const { token, access_token: accessToken } = JSON.parse(body.toString('utf8')) as Readonly<
      Record<string, unknown>
    >;
    const found = token ?? accessToken;
    // Characters allowed in a token: RFC 6750 §2.1
    if (typeof found === 'string' && /^[\w.~+/=-]+$/.test(found)) return found;
  } catch {
    // Reported below; the error would quote the text.
  }
  throw new ResponseError('the token server returned no token');
}

/** Sends one request to an https URL. Throws errors that `answerOfError` maps. */
function sendWebRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { way, signal, maxBytes }: Edge,
): Promise<HttpResponse> {
  return sendHttpOnce(
    { method: 'GET', url, headers },
    {
      way,
      signal,
      maxBytes,
      tooLarge: () => new ResponseError('the response is too large'),
      incomplete: () => new ResponseError('the response is incomplete'),
    },
  );
}

/** An invalid response. The reason does not quote it. */
export class ResponseError extends Error {
  constructor(readonly reason: string) {
    super('invalid response');
  }
}
