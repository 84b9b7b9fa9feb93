import { sha256 } from '../../formats/sha256.js';
import type { PullAnswer } from '../preflight/answers.js';
import type { PullPlace } from '../preflight/pull-places.js';
import type { ConnectionSettings } from '../http/connection.js';
import { connectionFailure, ProxyError } from '../http/faults.js';
import { sendHttpOnce, type HttpResponse } from '../http/request.js';

/** Request parameters for a registry manifest lookup. */
export interface ManifestQuery {
  readonly way: ConnectionSettings;
  /** `user:password` in base64; undefined without credentials. */
  readonly credentials: string | undefined;
  readonly timeoutMs: number;
}

/** Source: opencontainers/image-spec media-types.md; distribution/distribution, manifest v2 schema 2 */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/**
 * Looks up the manifest of an image as the node would: first without credentials, then as the registry's challenge requires. The timeout
 * covers all requests. Source: opencontainers/distribution-spec, "Pulling manifests"; distribution/distribution docs/spec/auth/token.md
 */
export async function queryManifest(place: PullPlace, query: ManifestQuery): Promise<PullAnswer> {
  const signal = AbortSignal.timeout(query.timeoutMs);
  try {
    return judge(place, await ask(place, query, signal), query.credentials !== undefined);
  } catch (error) {
    return answerOfError(error, signal.aborted);
  }
}

async function ask(place: PullPlace, query: ManifestQuery, signal: AbortSignal): Promise<HttpResponse> {
  const { registry, repository, reference } = place;
  // Docker Hub's registry has another host name than its images. Source: containers/image docker/docker_client.go
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  const url = new URL(`https://${host}/v2/${repository.slice(registry.length + 1)}/manifests/${reference}`);
  const accept = { accept: manifestTypes };
  const edge = { way: query.way, signal };
  const first = await followRedirects(url, accept, edge);
  if (first.status !== 401) return first;
  const authorization = await authorizationFor(first, place, query, signal);
  return authorization === undefined ? first : followRedirects(url, { ...accept, authorization }, edge);
}

interface Edge {
  readonly way: ConnectionSettings;
  readonly signal: AbortSignal;
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
  { registry, repository }: PullPlace,
  { way, credentials }: ManifestQuery,
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

function judge(
  { digest }: PullPlace,
  { status, headers, body }: HttpResponse,
  hadCredentials: boolean,
): PullAnswer {
  if (status === 401 || status === 403) {
    const reason = hadCredentials
      ? 'the registry rejected the credentials of pullSecret'
      : 'pullSecret has no credentials for this registry';
    return { kind: 'refused', reason: `${reason} (HTTP ${status})` };
  }
  if (status === 404) return { kind: 'missing' };
  if (status !== 200) return { kind: 'failing', reason: `the registry failed (HTTP ${status})` };
  const isManifest = /^application\/(vnd\.|json)/.test(headers['content-type'] ?? '');
  if (!isManifest) return { kind: 'failing', reason: 'the server is not a registry' };
  if (digest?.startsWith('sha512:') === true) return { kind: 'found', digest };
  const found = `sha256:${sha256(body)}`;
  return digest === undefined || digest === found
    ? { kind: 'found', digest: found }
    : { kind: 'wrong-digest', digest: found };
}

/** Size that registries should accept for a manifest. Source: opencontainers/distribution-spec, "Pushing Manifests" */
const maxBytes = 4 * 1024 * 1024;

/** Sends one request to an https URL. Throws errors that `answerOfError` maps. */
function sendWebRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { way, signal }: Edge,
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
class ResponseError extends Error {
  constructor(readonly reason: string) {
    super('invalid response');
  }
}

/** Maps an error of a registry request. The result quotes nothing that was sent or received. */
function answerOfError(error: unknown, isTooLate: boolean): PullAnswer {
  if (error instanceof ResponseError) return { kind: 'failing', reason: error.reason };
  const { code, words, isOfProxy, isCertificate } = connectionFailure(error);
  if (isCertificate && !isOfProxy) return { kind: 'untrusted', reason: words ?? code };
  const isAnswered = error instanceof ProxyError && error.reason !== undefined;
  const reason =
    isTooLate && !isAnswered ? 'timed out' : (words ?? (code === '' ? 'the connection failed' : code));
  return isOfProxy ? { kind: 'proxy', reason: `proxy failure: ${reason}` } : { kind: 'unreachable', reason };
}
