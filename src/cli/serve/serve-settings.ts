import { hostname } from 'node:os';

import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { parseAddress } from '../../formats/cidr.js';
import { parseDuration } from '../../formats/duration.js';
import type { ServerLimits } from '../../serve/answers/connections.js';
import type { ServeOptions } from './serve-options.js';

/** Timeout of the TLS handshake, and of the request head. */
const headMs = 15_000;

/** The parsed options. */
export interface ServeSettings {
  /** Absent for all addresses. */
  readonly host?: string;
  readonly port: number;
  readonly url: URL;
  readonly limits: ServerLimits;
  readonly drainMs: number;
}

/** Parses the options. Problems: media/serve-address, media/serve-tls, usage/unknown-argument. */
export function serveSettings(options: ServeOptions): Result<ServeSettings> {
  const listening = listeningOf(options.listen ?? ':8443');
  const url = listening.ok ? urlOf(options, listening.value.port) : listening;
  const counts = countsOf(options);
  const durations = durationsOf(options);
  const pair = pairOf(options);
  return listening.ok && url.ok && counts.ok && durations.ok && pair.ok
    ? success({
        ...listening.value,
        url: url.value,
        drainMs: durations.value.drainMs,
        limits: {
          ...counts.value,
          idleMs: durations.value.idleMs,
          totalMs: durations.value.totalMs,
          headMs,
        },
      })
    : failure(
        ...new Set(
          [listening, url, counts, durations, pair].flatMap((each): readonly Problem[] => problemsOf(each)),
        ),
      );
}

function pairOf({ tlsCert, tlsKey }: ServeOptions): Result<void> {
  if ((tlsCert === undefined) === (tlsKey === undefined)) return success(undefined);
  const message = '--tls-cert and --tls-key must be used together';
  return failure(problem('media/serve-tls', message, { hint: 'set both or neither' }));
}

function listeningOf(text: string): Result<Pick<ServeSettings, 'host' | 'port'>> {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const [host, port] = [bracketed ?? plain, Number(digits)];
  const isSound = host === '' || (host !== undefined && parseAddress(host) !== undefined);
  if (isSound && port >= 1 && port <= 65_535) return success({ port, ...(host !== '' && { host }) });
  const hint =
    'use --listen 192.0.2.1:8443, --listen [2001:db8::1]:8443, or --listen :8443 for all addresses';
  return failure(
    problem('media/serve-address', `--listen is ${quoted(text)}, expected ADDRESS:PORT`, { hint }),
  );
}

function urlOf({ url: given, http }: ServeOptions, port: number): Result<URL> {
  const scheme = http === true ? 'http:' : 'https:';
  if (given === undefined) return success(new URL(`${scheme}//${hostname()}:${port}/`));
  const hint = `use --url ${scheme}//boot.example.com:${port}`;
  const refused = (fault: string): Result<never> =>
    failure(problem('media/serve-address', `--url ${fault}`, { hint }));
  if (!/^[\u0021-\u007e]+$/.test(given) || !URL.canParse(given)) return refused('is not a URL');
  const url = new URL(given);
  if (url.protocol !== scheme)
    return refused(
      http === true
        ? 'must start with http:// when --http is set'
        : 'must start with https:// unless --http is set',
    );
  if (url.username !== '' || url.password !== '') return refused('contains a user name or password');
  return url.pathname === '/' && url.search === '' && url.hash === ''
    ? success(url)
    : refused('contains a path');
}

function countsOf(
  options: ServeOptions,
): Result<Pick<ServerLimits, 'connections' | 'connectionsPerClient' | 'requestsPerSecond'>> {
  const read = [
    ['--max-connections', options.maxConnections],
    ['--max-connections-per-client', options.maxConnectionsPerClient],
    ['--max-requests-per-second', options.maxRequestsPerSecond],
  ].map(([name = '', text = '']) =>
    /^[1-9]\d{0,5}$/.test(text) ? success(Number(text)) : expected(name, text, 'a number from 1 to 999999'),
  );
  const [connections = 0, connectionsPerClient = 0, requestsPerSecond = 0] = valuesOf(read);
  const problems = read.flatMap(problemsOf);
  return problems.length > 0
    ? failure(...problems)
    : success({ connections, connectionsPerClient, requestsPerSecond });
}

/** Timers are limited to 2^31-1 milliseconds. */
const longestSeconds = 20 * 24 * 60 * 60;

function durationsOf(
  options: ServeOptions,
): Result<{ readonly idleMs: number; readonly totalMs: number; readonly drainMs: number }> {
  const read = [
    ['--idle-timeout', options.idleTimeout],
    ['--total-timeout', options.totalTimeout],
    ['--drain-timeout', options.drainTimeout],
  ].map(([name = '', text = '']) => {
    const seconds = parseDuration(text) ?? 0;
    const isSound = seconds > 0 && seconds <= longestSeconds;
    return isSound
      ? success(seconds * 1000)
      : expected(name, text, 'a duration of at most 20 days, such as 90s or 12h');
  });
  const [idleMs = 0, totalMs = 0, drainMs = 0] = valuesOf(read);
  const problems = read.flatMap(problemsOf);
  return problems.length > 0 ? failure(...problems) : success({ idleMs, totalMs, drainMs });
}

function valuesOf(read: readonly Result<number>[]): readonly number[] {
  return read.flatMap((each) => (each.ok ? [each.value] : []));
}

function expected(name: string, text: string, what: string): Result<never> {
  return failure(problem('usage/unknown-argument', `${name} is ${quoted(text)}, expected ${what}`));
}
