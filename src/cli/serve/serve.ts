import { join } from 'node:path';

import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';
import { stateAccess } from '../request.js';
import { type Problem, problem } from '../../core/problem.js';
import { Redacted } from '../../core/redacted.js';
import { KeyPem } from '../../formats/keys/key-pem.js';
import { type Result, failure, problemsOf, success } from '../../core/result.js';
import { siteUrl } from '../../serve/media-urls.js';
import { metricsPath, metricsToken } from '../../serve/metrics/metrics-route.js';
import { viewUrl } from '../../serve/page/page-session.js';
import { type SiteCatalogue, siteCatalogue, siteToken } from '../../serve/site-catalogue.js';
import type { SiteFolder } from '../../serve/site-folders.js';
import { openServingState } from '../../serve/tokens/open-serving.js';
import { fingerprintOf } from '../../serve/tokens/server-certificate.js';
import { type ServingState, servingStateName } from '../../serve/tokens/serving-state.js';
import { hasConfig, sitesWithoutConfig } from './first-medium.js';
import type { OpenSites } from './open-sites.js';
import { runServer } from './run-server.js';
import type { ServeCommandLine, ServeConfig } from './serve-options.js';
import { serveSettings } from './serve-settings.js';

/** Serves the media of sites until a stop signal, or prints or revokes their URLs. */
export async function serve(sites: readonly string[], given: ServeCommandLine): Promise<void> {
  const places = await servePlaces(sites, given);
  const opened = places.ok ? await openSites(places.value) : places;
  if (!places.ok || !opened.ok) {
    report({ ...given, dir: given.fleet ?? given.dir }, { problems: problemsOf(opened) });
    return;
  }
  const { options } = places.value;
  const { settings, catalogue, state, warnings } = opened.value;
  if (options.printUrls === true) {
    const hasAuthority = options.http !== true && options.tlsCert === undefined;
    printUrls(options, { base: settings.url, state, catalogue, hasAuthority, warnings });
  } else if (isRevoking(options)) {
    const urls = [
      ...(options.revoke.length > 0 ? [`the URLs of ${options.revoke.join(', ')}`] : []),
      ...(options.revokePage === true ? ['the URL of the status page'] : []),
    ];
    const text = `Revoked ${urls.join(' and ')}. A running server applies this within a second.\n`;
    const json = { revoked: options.revoke, ...(options.revokePage === true && { page: 'revoked' }) };
    report(options, { problems: warnings, text, json });
  } else {
    await runServer(options, opened.value);
  }
}

async function openSites({
  options,
  folders,
  awaited,
  store,
  payloadsFor,
}: ServeConfig): Promise<Result<OpenSites>> {
  const settings = serveSettings(options);
  if (!settings.ok) return settings;
  const isServing = options.printUrls !== true && !isRevoking(options);
  if (isServing && options.iso === undefined) return isoMissing();
  const wrong = wrongSites(folders, { revoked: options.revoke, isServing, ...(awaited && { awaited }) });
  if (wrong.length > 0) return failure(...wrong);
  const tokensPath = options.tokens ?? join(options.dir, servingStateName);
  const access = stateAccess(options);
  const state = await openServingState({
    path: tokensPath,
    access,
    now: new Date(),
    revoked: options.revoke,
    isViewerRevoked: options.revokePage === true,
  });
  if (!state.ok) return state;
  const listed = store === undefined ? undefined : awaited;
  const catalogue = siteCatalogue(folders, state.value, listed);
  if (!catalogue.ok) return catalogue;
  return success({
    settings: settings.value,
    folders,
    tokensPath,
    access,
    state: state.value,
    catalogue: catalogue.value,
    ...(awaited && { awaited }),
    ...(listed && { listed }),
    ...(store && { store }),
    ...(payloadsFor && { payloadsFor }),
    warnings: [
      ...(options.http === true ? [plainHttp()] : []),
      ...(store === undefined ? sitesWithoutConfig(awaited ?? catalogue.value.sites) : []),
    ],
  });
}

interface SiteChecks extends Pick<ServeConfig, 'awaited'> {
  readonly revoked: readonly string[];
  readonly isServing: boolean;
}

function isRevoking({ revoke, revokePage }: Pick<ServeConfig['options'], 'revoke' | 'revokePage'>): boolean {
  return revoke.length > 0 || revokePage === true;
}

/** Checks the folders, and the names of sites to revoke, before any value is generated. */
function wrongSites(
  folders: readonly string[],
  { revoked, isServing, awaited }: SiteChecks,
): readonly Problem[] {
  const found = siteCatalogue(folders, noTokens);
  if (!found.ok) return problemsOf(found);
  const sites = [...found.value.sites, ...(awaited ?? [])];
  if (awaited) return unknownSites(sites, revoked);
  if (sites.length === 0 || (isServing && !sites.some(hasConfig))) return [noSites(folders)];
  return unknownSites(sites, revoked);
}

/** Reports names that are not sites. */
function unknownSites(sites: readonly SiteFolder[], revoked: readonly string[]): readonly Problem[] {
  const names = new Set(sites.map(({ name }) => name));
  return revoked
    .filter((name) => !names.has(name))
    .map((name) => problem('media/serve-sites', `--revoke ${name}: site does not exist`));
}

/** A placeholder for reading sites before tokens exist. */
const noTokens: ServingState = {
  tokenKey: new Redacted(''),
  generations: {},
  viewerGeneration: 0,
  authority: { keyPem: new KeyPem(''), certPem: '' },
};

function noSites(folders: readonly string[]): Problem {
  const message = `no outputs of a site in ${folders.join(', ')}`;
  const hint = 'name an output directory or its parent; `sno-install create` writes the outputs';
  return problem('media/serve-sites', message, { hint });
}

function isoMissing(): Result<never> {
  const hint = 'use the downloaded live ISO of the release';
  return failure(problem('usage/unknown-argument', '--iso is required', { hint }));
}

function plainHttp(): Problem {
  const hint = 'remove --http if the machines support TLS';
  return problem(
    'media/serve-plain',
    'serving without TLS: anyone on the network path can read the cluster keys',
    {
      hint,
    },
  );
}

interface UrlList {
  readonly base: URL;
  readonly state: ServingState;
  readonly catalogue: SiteCatalogue;
  /** Whether the server's own CA issues its certificate. */
  readonly hasAuthority: boolean;
  readonly warnings: readonly Problem[];
}

/** Prints the URLs of each site. They are secrets, and the user has explicitly requested them. */
function printUrls(options: GlobalOptions, list: UrlList): void {
  const { base, state, catalogue, hasAuthority, warnings } = list;
  const sites = catalogue.sites.map((site) => {
    const token = siteToken(state, site);
    return {
      name: site.name,
      iso: siteUrl(base, token, 'live.iso').href,
      ipxe: siteUrl(base, token, 'boot.ipxe').href,
    };
  });
  const page = viewUrl(base, state).href;
  const metrics = { url: new URL(metricsPath, base).href, token: metricsToken(state) };
  const fingerprint = fingerprintOf(state.authority.certPem);
  report(options, {
    problems: warnings,
    text: `${sites.map(({ name, iso }) => `${name}  ${iso}\n`).join('')}\nStatus page: ${page}\nMetrics: ${metrics.url} with the bearer token ${metrics.token}\n`,
    json: {
      sites,
      page,
      metrics,
      ...(hasAuthority && { authority: { sha256: fingerprint, pem: state.authority.certPem } }),
    },
  });
}

/** Returns the sites of the command line, or of its fleet. Problems: usage/conflicting-options, usage/unknown-argument, those of `fleetServeConfig`. */
async function servePlaces(
  sites: readonly string[],
  options: ServeCommandLine,
): Promise<Result<ServeConfig>> {
  if (options.fleet === undefined && options.store !== undefined) return failure(fleetMissing());
  if (options.fleet === undefined)
    return success({ options, folders: sites.length > 0 ? sites : [options.dir] });
  if (sites.length > 0) return failure(twice());
  // Loaded on demand, because it imports the parsers of tables and configs.
  const { fleetServeConfig } = await import('./fleet-serve-config.js');
  return fleetServeConfig(options.fleet, options);
}

function fleetMissing(): Problem {
  return problem('usage/unknown-argument', '--store requires --fleet', {
    hint: 'add --fleet DIR of the fleet in the store',
  });
}

function twice(): Problem {
  const hint = 'remove the directories; fleet.yaml sets the outputs of its sites';
  return problem('usage/conflicting-options', '--fleet and site directories cannot be combined', { hint });
}
