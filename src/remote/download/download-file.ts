import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import {
  existingDownload,
  openPartialDownload,
  type DownloadTarget,
  type PartialDownload,
} from '../../disk/image/partial-download.js';
import { spaceFault } from '../../disk/free-space.js';
import type { ConnectionSettings } from '../http/connection.js';
import { connectionFailure } from '../http/faults.js';
import { openHttp, type HttpStream } from '../http/request.js';
import { retryAfterMs, retryDelayMs } from '../http/retry-after.js';
import { judgeResponse, type Judged } from './judge-response.js';

export interface Download extends DownloadTarget {
  readonly url: URL;
  /** Sends a request for the file. Default: an anonymous request that follows redirects. Throws errors of the connection. */
  readonly open?: (headers: RequestHeaders, edge: ResponseEdge) => Promise<OpenedResponse>;
}

type RequestHeaders = Readonly<Record<string, string>>;
type ResponseEdge = Required<Pick<DownloadEdge, 'way' | 'stop' | 'idleMs'>>;
/** A response, or why there is none that could be used. */
export type OpenedResponse = HttpStream | { readonly fault: string };

export interface DownloadEdge {
  readonly way: ConnectionSettings;
  /** Stops the download; it can be continued. */
  readonly stop: AbortSignal;
  readonly now: () => Date;
  /** Waits before a retry. Rejects if the signal aborts. */
  readonly pause: (ms: number, stop: AbortSignal) => Promise<void>;
  /** Number of bytes so far and in total; the total is undefined if the server does not send it. */
  readonly onProgress: (bytes: number, total: number | undefined) => void;
  /** Time to connect and to get the headers, and each wait for more data. Default: 60 s. */
  readonly idleMs?: number;
}

/** The file at its place: newly downloaded, or there before. */
export interface Downloaded {
  readonly state: 'downloaded' | 'present';
  readonly bytes: number | undefined;
}

/** Attempts in a row that bring no byte. */
const maxAttempts = 5;
const pauses = { firstMs: 1000, longestMs: 60_000 };
const defaultIdleMs = 60_000;

/**
 * Downloads a file, continues an earlier download of it, and gives it its name after its SHA-256 is verified. Problems: media/download,
 * media/checksum, media/output, dir/locked, dir/not-writable.
 */
export async function downloadFile(download: Download, edge: DownloadEdge): Promise<Result<Downloaded>> {
  const before = existingDownload(download);
  if (!before.ok) return before;
  if (before.value === 'whole') return success({ state: 'present', bytes: fileSize(download.path) });
  const opened = await openPartialDownload(download);
  if (!opened.ok) return opened;
  const part = opened.value;
  // Another run may have finished before this one got the lock.
  const meanwhile = existingDownload(download);
  if (!meanwhile.ok || meanwhile.value === 'whole') {
    part.close('discarded');
    return meanwhile.ok ? success({ state: 'present', bytes: fileSize(download.path) }) : meanwhile;
  }
  const wasContinued = part.bytes() > 0;
  let done = await receive(download, part, edge);
  if (done.ok && part.digest() !== download.sha256 && wasContinued) {
    // The file on the server may have changed between the two runs.
    const restarted = part.restart(undefined);
    done = restarted.ok ? await receive(download, part, edge) : restarted;
  }
  if (!done.ok) {
    part.close();
    return done;
  }
  if (part.digest() !== download.sha256) {
    const fault = wrongChecksum(download, part.bytes());
    part.close('discarded');
    return fault;
  }
  const bytes = part.bytes();
  const finished = part.finish();
  part.close();
  return finished.ok ? success({ state: 'downloaded', bytes }) : finished;
}

/** Requests the rest of the file until it is complete. */
async function receive(download: Download, part: PartialDownload, edge: DownloadEdge): Promise<Result<void>> {
  let fruitless = 0;
  let hasAnswered = false;
  for (;;) {
    const before = part.bytes();
    const outcome = await attempt(download, part, edge);
    if (outcome.kind === 'complete') return success(undefined);
    if (outcome.kind === 'failed') return outcome.result;
    // Without a network, the user needs the URL at once.
    hasAnswered ||= outcome.hasAnswered === true;
    if (!hasAnswered) return failed(download, outcome.reason, part.bytes());
    fruitless = part.bytes() > before ? 1 : fruitless + 1;
    if (fruitless >= maxAttempts) return failed(download, outcome.reason, part.bytes());
    const pauseMs = retryDelayMs(fruitless - 1, { requestedMs: outcome.waitMs, ...pauses });
    try {
      await edge.pause(pauseMs, edge.stop);
    } catch {
      return stopped(download, part.bytes());
    }
  }
}

type Outcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'failed'; readonly result: Result<never> }
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly waitMs?: number;
      readonly hasAnswered?: true;
    };

async function attempt(download: Download, part: PartialDownload, edge: DownloadEdge): Promise<Outcome> {
  let stream: HttpStream | undefined;
  try {
    const headers = requestHeaders(part);
    const { way, stop, idleMs = defaultIdleMs } = edge;
    const opened = await (download.open?.(headers, { way, stop, idleMs }) ??
      openFollowing(download.url, headers, edge));
    if ('fault' in opened) return { kind: 'failed', result: failed(download, opened.fault, part.bytes()) };
    stream = opened;
    return await take(download, part, { stream, edge });
  } catch (error) {
    if (edge.stop.aborted) return { kind: 'failed', result: stopped(download, part.bytes()) };
    const { reason, isPermanent } = faultOf(error);
    return isPermanent
      ? { kind: 'failed', result: failed(download, reason, part.bytes()) }
      : { kind: 'retry', reason, ...(stream !== undefined && { hasAnswered: true }) };
  } finally {
    stream?.close();
  }
}

/** A compressed body would have other positions and another SHA-256. Source: RFC 9110 §12.5.3, §13.1.5, §14.2 */
function requestHeaders(part: PartialDownload): RequestHeaders {
  const [bytes, validator] = [part.bytes(), part.validator()];
  return {
    'accept-encoding': 'identity',
    ...(bytes > 0 && { range: `bytes=${bytes}-` }),
    ...(bytes > 0 && validator !== undefined && { 'if-range': validator }),
  };
}

const maxRedirects = 5;

/** Follows redirects, but not from https to http. */
async function openFollowing(
  url: URL,
  { method = 'GET', ...headers }: Readonly<Record<string, string>>,
  { way, stop, idleMs = defaultIdleMs }: Pick<DownloadEdge, 'way' | 'stop' | 'idleMs'>,
): Promise<OpenedResponse> {
  let at = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const stream = await openHttp({ method, url: at, headers }, { way, signal: stop, idleMs });
    const { location } = stream.headers;
    if (![301, 302, 303, 307, 308].includes(stream.status) || location === undefined) return stream;
    stream.close();
    const next = URL.canParse(location, at.href) ? new URL(location, at) : undefined;
    if (next === undefined || !/^https?:$/.test(next.protocol))
      return { fault: 'a redirect has no http or https URL' };
    if (at.protocol === 'https:' && next.protocol === 'http:')
      return { fault: `a redirect leads from https to http, to ${next.host}` };
    at = next;
  }
  return { fault: 'too many redirects' };
}

interface Response {
  readonly stream: HttpStream;
  readonly edge: DownloadEdge;
}

async function take(download: Download, part: PartialDownload, { stream, edge }: Response): Promise<Outcome> {
  const judged: Judged = judgeResponse(stream, { bytes: part.bytes(), validator: part.validator() });
  if (judged.kind === 'complete') return judged;
  if (judged.kind === 'fatal')
    return { kind: 'failed', result: failed(download, judged.reason, part.bytes()) };
  if (judged.kind === 'retry') {
    const waitMs = retryAfterMs(stream.headers['retry-after'], edge.now());
    return {
      kind: 'retry',
      reason: judged.reason,
      hasAnswered: true,
      ...(waitMs !== undefined && { waitMs }),
    };
  }
  if (judged.kind === 'restart') {
    const emptied = part.restart(undefined);
    return emptied.ok
      ? { kind: 'retry', reason: judged.reason, hasAnswered: true, waitMs: 0 }
      : { kind: 'failed', result: emptied };
  }
  if (judged.from === 0) {
    const emptied = part.restart(judged.validator);
    if (!emptied.ok) return { kind: 'failed', result: emptied };
  }
  const { total } = judged;
  const space = spaceFault(download.path, (total ?? 0) - part.bytes(), {
    purpose: ' more',
    hint: 'free disk space, or name another place with --out',
  });
  if (space !== undefined) return { kind: 'failed', result: failure(space) };
  return copyBody(download, part, { stream, edge, total });
}

async function copyBody(
  download: Download,
  part: PartialDownload,
  { stream, edge, total }: Response & { readonly total: number | undefined },
): Promise<Outcome> {
  edge.onProgress(part.bytes(), total);
  for await (const chunk of stream.body) {
    if (part.bytes() + chunk.length > (total ?? maxBytes)) {
      const reason = total === undefined ? 'the file has no end' : 'the server sent more than it announced';
      return { kind: 'failed', result: failed(download, reason, part.bytes()) };
    }
    const written = part.append(chunk);
    if (!written.ok) return { kind: 'failed', result: written };
    edge.onProgress(part.bytes(), total);
  }
  if (total !== undefined && part.bytes() < total)
    return { kind: 'retry', reason: 'connection closed', hasAnswered: true };
  return { kind: 'complete' };
}

/** A file without announced length is not read further. A live ISO has about 1.3 GiB. */
const maxBytes = 16 * 1024 ** 3;

function faultOf(error: unknown): { readonly reason: string; readonly isPermanent: boolean } {
  const { code, words, isOfProxy, isPermanent } = connectionFailure(error);
  const reason = words ?? (code === '' ? 'the connection failed' : code);
  return { reason: isOfProxy ? `proxy failure: ${reason}` : reason, isPermanent };
}

function failed(download: Download, reason: string, bytes: number): Result<never> {
  const { url } = download;
  const message = `cannot download ${url.href}: ${reason}`;
  const kept = bytes === 0 ? '' : `; ${bytes} bytes are kept, and the next run continues after them`;
  return failure(problem('media/download', message, { hint: `${manualDownload(download)}${kept}` }));
}

/** The commands that replace a download. */
export function manualDownload({ url, sha256, path }: Download): string {
  const name = path.split('/').at(-1) ?? path;
  return `download ${url.href} on another machine, and check it: echo "${sha256}  ${name}" | sha256sum --check`;
}

function stopped({ url }: Download, bytes: number): Result<never> {
  const message = `the download of ${url.href} was interrupted after ${bytes} bytes`;
  return failure(
    problem('media/download', message, { hint: 'run the command again: it continues the download' }),
  );
}

function wrongChecksum({ url, sha256 }: Download, bytes: number): Result<never> {
  const message = `${url.href} (${bytes} bytes) does not have the published SHA-256 ${sha256}`;
  const hint =
    'run the command again; if the fault stays, a proxy or mirror changes the file: use another one';
  return failure(problem('media/checksum', message, { hint }));
}

/** Size in bytes from the server; undefined if it does not send it or cannot be reached. Problems: media/download. */
export async function sizeOf(
  download: Download,
  edge: Pick<DownloadEdge, 'way' | 'stop' | 'idleMs'>,
): Promise<Result<number | undefined>> {
  try {
    const headers = { method: 'HEAD', 'accept-encoding': 'identity' };
    const opened = await openFollowing(download.url, headers, edge);
    if ('fault' in opened) return failed(download, opened.fault, 0);
    opened.close();
    const judged = judgeResponse(opened, { bytes: 0, validator: undefined });
    if (judged.kind === 'body') return success(judged.total);
    return failed(download, 'reason' in judged ? judged.reason : 'an invalid response', 0);
  } catch {
    return edge.stop.aborted ? stopped(download, 0) : success(undefined);
  }
}
