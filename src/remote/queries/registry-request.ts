import type { ConnectionSettings } from '../http/connection.js';
import { sendHttpOnce, type HttpResponse } from '../http/request.js';
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
  const { registry, repository } = place;
  // Docker Hub's registry has another host name than its images. Source: containers/image docker/docker_client.go
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  const url = new URL(`https://${host}/v2/${repository.slice(registry.length + 1)}/${path}`);
  const headers = accept === undefined ? {} : { accept };
  const edge = { way: access.way, signal, maxBytes };
  const first = await followRedirects(url, headers, edge);
  if (first.status !== 401) return first;
  const authorization = await authorizationFor(first, place, access, signal);
  return authorization === undefined ? first : followRedirects(url, { ...headers, authorization }, edge);
}

interface Edge {
  readonly way: ConnectionSettings;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/** Follows redirects. Removes the credentials on a redirect to another host. */
async function followRedirects(
  url: URL,
  headers: Readonly<Record<string, string>>,
  edge: Edge,
  left = 3,
): Promise<HttpResponse> {
  const answer = await sendWebRequest(url, headers, edge);
  const { location } = answer.headers;
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (left === 0 || next?.protocol !== 'https:')
    throw new ResponseError('too many redirects, or a redirect without TLS');
  const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization'));
  return followRedirects(next, next.host === url.host ? headers : plain, edge, left - 1);
}

/** Authorization header for the registry's challenge; undefined if it needs credentials and there are none. */
async function authorizationFor(
  { headers }: HttpResponse,
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
