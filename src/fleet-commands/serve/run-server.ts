import type { GlobalOptions } from '../../command-line/options.js';
import { report, shows, tellProblems } from '../../command-line/output/report.js';
import { onStopSignals } from '../../command-line/stop-signals.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { reasonOf, systemErrorCode } from '../../disk/file-system-problem.js';
import { liveSites } from '../../serving/live-sites.js';
import { netbootUrl } from '../../serving/media-urls.js';
import { answeredJson, answeredLine, type Answered } from '../../serving/answers/serve-log.js';
import type { Server, ServerTls } from '../../serving/server.js';
import type { ServerOrder } from '../../serving/server-order.js';
import { fingerprintOf } from '../../serving/tokens/server-certificate.js';
import { mediaMaker, type MediaMaker } from '../../serving/media/site-media.js';
import { openStock, type StockImage } from '../../serving/media/stock-image.js';
import { readUsedTokens, usedTokensPath } from '../../serving/tokens/used-tokens.js';
import { visits } from '../../serving/visits.js';
import { count } from '../../telling/problem-text.js';
import type { OpenSites } from './open-sites.js';
import type { ServeOptions } from './serve-options.js';
import type { ServeSettings } from './serve-settings.js';
import { serverTls } from './serve-tls.js';

type Options = GlobalOptions & ServeOptions;

/** What is packed for sites takes some 80 KiB each: this is for more than a thousand that boot at the same time. */
const cacheBytes = 128 * 1024 * 1024;

/** Serves until the first SIGTERM or SIGINT, and until answers under way have ended, for a while. */
export async function runServer(options: Options, opened: OpenSites): Promise<void> {
  const { settings, warnings } = opened;
  const stock = await openStock({
    path: options.iso ?? '',
    kernelArguments: options.liveKarg,
    ...(options.minimal === true && {
      rootfsUrl: (id: string) => netbootUrl(settings.url, id, 'rootfs.img').href,
    }),
  });
  if (!stock.ok) {
    report(options, { problems: [...warnings, ...stock.problems] });
    return;
  }
  const signals = onStopSignals();
  const started = await start(options, opened, stock.value);
  if (started.ok) {
    announce(options, opened, [...warnings, ...stock.warnings, ...started.warnings]);
    await stopped(signals.stop);
    await started.value.close(settings.drainMs);
  } else report(options, { problems: [...warnings, ...started.problems] });
  signals.release();
  stock.value.close();
}

function stopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else
      stop.addEventListener('abort', () => {
        resolve();
      });
  });
}

async function start(options: Options, opened: OpenSites, stock: StockImage): Promise<Result<Server>> {
  const { settings, tokensPath, access, state, catalogue } = opened;
  const used = readUsedTokens(usedTokensPath(tokensPath));
  const tls = await tlsOf(options, opened);
  if (!used.ok) return used;
  if (!tls.ok) return tls;
  const tell = (problems: readonly Problem[]): void => {
    tellProblems({ ...options, output: 'text' }, problems);
  };
  const media = mediaMaker(stock, { access, cacheBytes });
  const tried = await firstMedium(media, opened);
  if (!tried.ok) return tried;
  const order: ServerOrder = {
    stock,
    media,
    sites: liveSites(opened, { state, catalogue, used: used.value, tell }),
    visits: visits(),
    url: settings.url,
    kernelArguments: options.liveKarg,
    limits: settings.limits,
    isOnce: options.once === true,
    now: () => new Date(),
    log: logOf(options),
    tell,
  };
  const server = await listen(order, settings, tls.value);
  if (!server.ok) return server;
  process.on('SIGHUP', () => {
    void renew(server.value, options, opened).then(tell);
  });
  return success(server.value);
}

async function renew(server: Server, options: Options, opened: OpenSites): Promise<readonly Problem[]> {
  const next = await tlsOf(options, opened);
  if (next.ok && next.value.tls) server.renew(next.value.tls);
  return problemsOf(next);
}

/** Problems: media/serve-address. */
async function listen(
  order: ServerOrder,
  { host, port }: ServeSettings,
  tls: { readonly tls?: ServerTls },
): Promise<Result<Server>> {
  // Takes a tenth of a second to load: what is wrong before is told without it.
  const { startServer } = await import('../../serving/server.js');
  // The first stands for both families where the system has IPv6.
  const hosts = host === undefined ? ['::', '0.0.0.0'] : [host];
  for (const [index, each] of hosts.entries()) {
    try {
      return success(await startServer(order, { host: each, port, ...tls }));
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined || !(code in listenFaults)) throw error;
      const hasOther = index < hosts.length - 1 && code !== 'EADDRINUSE' && code !== 'EACCES';
      if (hasOther) continue;
      const message = `cannot listen on ${each} port ${port}: ${listenFaults[code] ?? reasonOf(error)}`;
      const hint = 'name another address or port with --listen';
      return failure(problem('media/serve-address', message, { hint }));
    }
  }
  throw new Error('internal error: there is no address to listen on');
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAFNOSUPPORT: 'this machine has no such addresses',
  EACCES: 'permission denied',
};

async function tlsOf(
  options: Options,
  { settings, state }: OpenSites,
): Promise<Result<{ readonly tls?: ServerTls }>> {
  if (options.http === true) return success({});
  const tls = await serverTls(options, { settings, state, now: new Date() });
  return tls.ok ? success({ tls: tls.value }) : tls;
}

/**
 * Makes the medium of the first site, so that what stands against all of them is told before anybody boots: keys that are missing,
 * an image for other machines.
 */
async function firstMedium(media: MediaMaker, { catalogue }: OpenSites): Promise<Result<void>> {
  const [first] = catalogue.sites;
  const made = first === undefined ? success(undefined) : await media.of(first);
  return made.ok ? success(undefined) : failure(...made.problems);
}

function logOf(options: Options): (answered: Answered) => void {
  if (!shows(options, 'info')) return () => undefined;
  const line = options.output === 'json' ? answeredJson : answeredLine;
  return (answered) => {
    process.stderr.write(line(answered));
  };
}

/** Says where it serves; with `--output json` as an object on stdout, as soon as it does. */
function announce(
  options: Options,
  { settings, state, catalogue }: OpenSites,
  warnings: readonly Problem[],
): void {
  const hasAuthority = options.http !== true && options.tlsCert === undefined;
  const fingerprint = fingerprintOf(state.authority.certPem);
  const lines = [
    `Serving ${count(catalogue.sites.length, 'site')} at ${settings.url.href}`,
    ...(hasAuthority ? [`Its authority has the SHA-256 fingerprint ${fingerprint}`] : []),
    'The URLs of the sites: `sno-install serve --print-urls` with the same folders.',
    '',
  ];
  report(options, {
    problems: warnings,
    text: lines.join('\n'),
    json: {
      url: settings.url.href,
      sites: catalogue.sites.length,
      ...(hasAuthority && { authority: { sha256: fingerprint, pem: state.authority.certPem } }),
    },
  });
}
