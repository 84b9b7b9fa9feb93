import {
  fleetStatusReader,
  comparedFleets,
  outdatedMedia,
  rolloutReader,
} from '../../fleet/serving/index.js';
import { processSurroundings } from '../surroundings.js';
import { basename, resolve } from 'node:path';

import type { GlobalOptions } from '../options.js';
import { machineReadable, report, isLogged, printProblems } from '../output/report.js';
import { onStopSignals } from '../stop-signals.js';
import { type Problem, isError, problem } from '../../core/problem.js';
import { type Result, failure, problemsOf, success } from '../../core/result.js';
import { reasonOf, systemErrorCode } from '../../disk/system-error.js';
import { type AccessLogEntry, accessLogJson, accessLogLine } from '../../serve/answers/access-log.js';
import { apiStateReader } from '../../serve/api-states/api-state-row.js';
import { type LiveSites, liveSites } from '../../serve/live-sites.js';
import { serverCounts } from '../../serve/metrics/server-counts.js';
import type { ServedSite } from '../../serve/site-catalogue.js';
import { netbootUrl } from '../../serve/media-urls.js';
import { mediaMaker, packedCache } from '../../serve/media/site-media.js';
import { type BaseIso, openBaseIso } from '../../serve/media/base-iso.js';
import type { ReportOptions } from '../../serve/reports/report-route.js';
import { reportSenders } from '../../serve/reports/report-senders.js';
import { reportsPath, siteReports } from '../../serve/reports/site-reports.js';
import type { ServerOptions } from '../../serve/server-options.js';
import type { Server, ServerTls } from '../../serve/server.js';
import { fingerprintOf } from '../../serve/tokens/server-certificate.js';
import { readUsedTokens, usedTokensPath } from '../../serve/tokens/used-tokens.js';
import type { OutdatedMedia } from '../../serve/outdated-media.js';
import { downloadTracker } from '../../serve/download-tracker.js';
import { downloadRecord, downloadsPath } from '../../serve/site-downloads.js';
import { count } from '../../run/problem-text.js';
import { noteOf } from '../fleet/store/store-note.js';
import { firstMedium, spreadOver } from './first-medium.js';
import { SourceUnavailable } from '../../serve/answers/served-file.js';
import { manifestText } from '../../config/reading/payload-manifest.js';
import { hasPayloads, payloadWarnings, type JudgedPayload } from '../../serve/media/payload-warnings.js';
import { sitePayloads, type SitePayloads } from '../../serve/media/site-payloads.js';
import { largeMedium } from '../payload/payload-for-iso.js';
import { folderConfigs, type SiteConfigs } from '../../serve/site-configs.js';
import { type HangupHandler, handleHangups } from './hangups.js';
import type { OpenSites } from './open-sites.js';
import type { ServeOptions } from './serve-options.js';
import type { ServeSettings } from './serve-settings.js';
import { serverTls } from './serve-tls.js';
import { isData } from '../output/data.js';

type Options = GlobalOptions & ServeOptions;

/** Packed configs kept in memory: about 80 KiB each, at most 256 KiB. */
const keptConfigs = 1000;

/** Serves until the first SIGTERM or SIGINT, then waits up to `drainMs` for responses in progress. */
export async function runServer(options: Options, opened: OpenSites): Promise<void> {
  const { settings, warnings } = opened;
  const hangup = handleHangups();
  const stock = await openBaseIso({
    path: options.iso ?? '',
    ...(options.payload !== undefined && { payload: options.payload }),
    kernelArguments: options.liveKarg,
    ...(options.minimal === true && {
      rootfsUrl: (id: string) => netbootUrl(settings.url, id, 'rootfs.img').href,
    }),
  });
  if (!stock.ok) {
    report(options, { problems: [...warnings, ...stock.problems] });
    hangup.release();
    return;
  }
  const ofImages = [...stock.warnings, ...largeMedium(stock.value.payload?.whole.bytes ?? 0)];
  // Install the handlers only now, so that a signal ends the process while the ISO is hashed.
  const signals = onStopSignals();
  const configs = await openConfigs(options, opened, signals.stop);
  const started = configs.ok
    ? await start(options, opened, { stock: stock.value, hangup, configs: configs.value.configs })
    : configs;
  if (started.ok) {
    if (!signals.stop.aborted) {
      const payloads = started.value.payloads;
      const ofPayloads = payloadWarnings(payloads, stock.value.payload?.path);
      announce(options, opened, {
        warnings: [...warnings, ...ofImages, ...ofPayloads, ...started.warnings],
        hasPayloads: hasPayloads(payloads),
      });
      await stopped(signals.stop);
    }
    await started.value.server.close(settings.drainMs);
  } else report(options, { problems: [...warnings, ...started.problems] });
  if (configs.ok) configs.value.close();
  signals.release();
  hangup.release();
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

/** Sites of a store that are looked up at startup, so that a wrong identity is reported then. */
const lookedUp = 8;

/** Opens the folders or the store. Problems: those of `openStoredConfigs`, store/*. */
async function openConfigs(
  options: Options,
  { access, store, catalogue }: OpenSites,
  stop: AbortSignal,
): Promise<Result<{ readonly configs: SiteConfigs; readonly close: () => void }>> {
  if (store === undefined) return success({ configs: folderConfigs(access), close: () => undefined });
  const { openStoredConfigs } = await import('../../fleet/store/index.js');
  const opened = await openStoredConfigs(
    { store: store.address, outputs: store.outputs, access, onWait: noteOf(options) },
    processSurroundings(),
    stop,
  );
  if (!opened.ok) return opened;
  const { configs, close } = opened.value;
  try {
    const sample = await Promise.all(spreadOver(catalogue.sites, lookedUp).map(configs.find));
    const wrong = sample.flatMap(problemsOf).find(({ code }) => code !== 'media/serve-sites');
    if (wrong === undefined) return opened;
    close();
    return failure(wrong);
  } catch (error) {
    close();
    if (!(error instanceof SourceUnavailable)) throw error;
    return failure(...error.problems);
  }
}

interface Started {
  readonly stock: BaseIso;
  readonly hangup: HangupHandler;
  readonly configs: SiteConfigs;
}

interface RunningServer {
  readonly server: Server;
  /** The payloads of the sites at the start. */
  readonly payloads: readonly JudgedPayload[];
}

async function start(
  options: Options,
  opened: OpenSites,
  { stock, hangup, configs }: Started,
): Promise<Result<RunningServer>> {
  const { settings, tokensPath, state, catalogue } = opened;
  const used = readUsedTokens(usedTokensPath(tokensPath));
  const tls = await tlsOf(options, opened);
  if (!used.ok) return used;
  if (!tls.ok) return tls;
  const onProblems = (problems: readonly Problem[]): void => {
    reportWhileServing(options, problems);
  };
  const media = mediaMaker(stock, {
    configs,
    cache: packedCache(keptConfigs),
    acceptsAnyImage: options.force === true,
    onWarnings: onProblems,
  });
  const tried = await firstMedium(media, catalogue.sites, configs.isKnown);
  if (!tried.ok) return tried;
  const ofFolders = opened.store === undefined ? sitePayloads(stock, configs) : undefined;
  const payloads = await payloadsAtStart(opened, stock, ofFolders);
  const touched = new Set<string>();
  const sites = liveSites(opened, { state, catalogue, used: used.value, onProblems });
  const [counts, log] = [serverCounts(), logOf(options)];
  const onReport = (site: string): void => {
    touched.add(site);
    counts.onReport();
  };
  const outdated = mediaComparison(options, opened, onProblems);
  const reports = reportOrder(opened, { sites, configs, onReport, onProblems });
  const visits = downloadTracker((site) => {
    touched.add(site);
    downloads.onChange(site);
  }, counts.onDownload);
  const downloads = downloadRecord(downloadsPath(tokensPath), (site) => visits.of(site), onProblems);
  const order: ServerOptions = {
    stock,
    media,
    sites,
    visits,
    downloads,
    counts,
    page: {
      fleetName: basename(resolve(options.fleet ?? options.dir)),
      touched,
      configs,
      findings: fleetStatusReader(sites.all),
      rollouts: rolloutReader(sites.all),
      apiWords: apiStateReader(sites.all),
      ...(outdated && { outdated }),
      payloadOf: (site) => media.payloadOf(site) ?? ofFolders?.of(site),
      awaited: opened.awaited ?? [],
      reportOf: (site) => reports.reports.of(site),
    },
    reports,
    url: settings.url,
    kernelArguments: options.liveKarg,
    limits: settings.limits,
    isOnce: options.once === true,
    ...(outdated && { outdated }),
    refusesOutdated: options.refuseOutdated === true,
    now: () => new Date(),
    log: (entry) => {
      counts.onResponse(entry);
      log(entry);
    },
    onProblems,
  };
  const server = await listen(order, settings, tls.value);
  if (!server.ok) return server;
  hangup.take(() => {
    void renew(server.value, options, opened).then(onProblems);
  });
  return success({ server: server.value, payloads }, tried.warnings);
}

/** The payloads of the sites: those of a fleet by its files, others by their live configs. */
async function payloadsAtStart(
  { store, payloadsFor, catalogue }: OpenSites,
  { payload }: BaseIso,
  ofFolders: SitePayloads | undefined,
): Promise<readonly JudgedPayload[]> {
  if (payloadsFor !== undefined) return payloadsFor(payload && manifestText(payload.manifest));
  return store === undefined && ofFolders ? await ofFolders.judge(catalogue.sites) : [];
}

/** Undefined for a store, whose records are not in folders. */
function mediaComparison(
  options: Options,
  { folders, store }: OpenSites,
  onProblems: (problems: readonly Problem[]) => void,
): OutdatedMedia | undefined {
  if (store !== undefined) return undefined;
  const { fleet } = options;
  const media = outdatedMedia({
    ...(fleet !== undefined && { fleet }),
    folders,
    surroundings: processSurroundings(),
    onFault: (fault) => {
      onProblems([problem('media/serve-outdated', `media cannot be compared with the fleet: ${fault}`)]);
    },
  });
  void media.refresh();
  return media;
}

async function renew(server: Server, options: Options, opened: OpenSites): Promise<readonly Problem[]> {
  try {
    const next = await tlsOf(options, opened);
    if (next.ok && next.value.tls) server.renew(next.value.tls);
    return problemsOf(next);
  } catch (error) {
    const message = `cannot reload the certificate, the previous one stays in use: ${reasonOf(error)}`;
    return [problem('media/serve-tls', message)];
  }
}

/** Problems: media/serve-address. */
async function listen(
  order: ServerOptions,
  { host, port }: ServeSettings,
  tls: { readonly tls?: ServerTls },
): Promise<Result<Server>> {
  // Loading takes 100 ms. Load it late, so that earlier problems are reported without the delay.
  const { startServer } = await import('../../serve/server.js');
  // `::` accepts both address families on a system with IPv6.
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
      const hint = 'choose another address or port with --listen';
      return failure(problem('media/serve-address', message, { hint }));
    }
  }
  throw new Error('internal error: there is no address to listen on');
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use',
  EADDRNOTAVAIL: 'the address is not available on this host',
  EAFNOSUPPORT: 'the address family is not available on this host',
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

/** Prints the address, and whether outdated media can be recognized; with `--output json`, prints one object to stdout as soon as the server listens. */
function announce(
  options: Options,
  { settings, state, catalogue, store, folders }: OpenSites,
  shown: { readonly warnings: readonly Problem[]; readonly hasPayloads: boolean },
): void {
  const comparesMedia = store === undefined && comparedFleets(options.fleet, folders).length > 0;
  const hasAuthority = options.http !== true && options.tlsCert === undefined;
  const fingerprint = fingerprintOf(state.authority.certPem);
  const lines = [
    `Serving ${count(catalogue.sites.length, 'site')} at ${settings.url.href}`,
    ...(hasAuthority ? [`SHA-256 fingerprint of its CA: ${fingerprint}`] : []),
    'Print the URLs of the sites and the status page: `sno-install serve --print-urls` with the same directories.',
    ...(comparesMedia
      ? []
      : ['Outdated media are not recognized: the sites are not those of a fleet in folders.']),
    ...(shown.hasPayloads
      ? [
          'boot.ipxe boots without a payload: such a machine needs it on a disk or USB stick (`sno-install payload write`).',
        ]
      : []),
    '',
  ];
  report(options, {
    problems: shown.warnings,
    text: lines.join('\n'),
    json: {
      url: settings.url.href,
      sites: catalogue.sites.length,
      comparesMedia,
      ...(hasAuthority && { authority: { sha256: fingerprint, pem: state.authority.certPem } }),
    },
  });
}

interface ReportSources extends Pick<ReportOptions, 'onReport'> {
  readonly sites: LiveSites;
  readonly configs: SiteConfigs;
  readonly onProblems: (problems: readonly Problem[]) => void;
}

/**
 * Returns the report options: tokens from the configs of the sites, and a report file next to the token file. An unknown token
 * must not download a whole store, so only sites that requested a medium or have reported before are read there.
 */
function reportOrder(
  { tokensPath }: Pick<OpenSites, 'tokensPath'>,
  { sites, configs, onReport, onProblems }: ReportSources,
): ReportOptions {
  const reports = siteReports(reportsPath(tokensPath), onProblems);
  const senders = (): readonly ServedSite[] =>
    sites.all().filter((site) => configs.wasRead(site) || reports.of(site.name) !== undefined);
  return { senders: reportSenders(senders, configs), reports, onReport };
}

/** Prints problems in the log format: text, or one JSON object per line. */
function reportWhileServing(options: GlobalOptions, problems: readonly Problem[]): void {
  if (!isData(options)) {
    printProblems(options, problems);
    return;
  }
  for (const found of problems.filter((each) => isError(each) || isLogged(options, 'warn')))
    process.stderr.write(`${JSON.stringify({ problem: machineReadable(options.dir, found) })}\n`);
}

/** Returns the access logger: text, or one JSON object per line. */
function logOf(options: GlobalOptions): (answered: AccessLogEntry) => void {
  if (!isLogged(options, 'info')) return () => undefined;
  const line = isData(options) ? accessLogJson : accessLogLine;
  return (answered) => {
    process.stderr.write(line(answered));
  };
}
