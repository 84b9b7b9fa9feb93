import { join } from 'node:path';

import type { GlobalOptions, RecipientOptions } from '../../command-line/options.js';
import { report } from '../../command-line/output/report.js';
import { accessOf } from '../../command-line/request.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { openServing } from '../../serving/tokens/open-serving.js';
import { servingStateName, type ServingState } from '../../serving/tokens/serving-state.js';
import { siteCatalogue } from '../../serving/site-catalogue.js';
import type { OpenSites } from './open-sites.js';
import { printUrls } from './print-urls.js';
import { runServer } from './run-server.js';
import type { ServeOptions } from './serve-options.js';
import { serveSettings } from './serve-settings.js';

type Options = GlobalOptions & RecipientOptions & ServeOptions;

/** Serves the media of sites until it is told to end; or prints or takes back their URLs. */
export async function serve(sites: readonly string[], options: Options): Promise<void> {
  const opened = await openSites(sites, options);
  if (!opened.ok) {
    report(options, { problems: opened.problems });
    return;
  }
  const { settings, catalogue, state, warnings } = opened.value;
  if (options.printUrls === true) {
    const hasAuthority = options.http !== true && options.tlsCert === undefined;
    printUrls(options, { base: settings.url, state, catalogue, hasAuthority, warnings });
  } else if (options.revoke.length > 0) {
    const text = `Took back the URLs of ${options.revoke.join(', ')}; a server that runs knows it within a second.\n`;
    report(options, { problems: warnings, text, json: { revoked: options.revoke } });
  } else {
    await runServer(options, opened.value);
  }
}

async function openSites(sites: readonly string[], options: Options): Promise<Result<OpenSites>> {
  const settings = serveSettings(options);
  if (!settings.ok) return settings;
  const isServing = options.printUrls !== true && options.revoke.length === 0;
  if (isServing && options.iso === undefined) return lacksIso();
  const folders = sites.length > 0 ? sites : [options.dir];
  const missing = unknownSites(folders, options.revoke);
  if (missing.length > 0) return failure(...missing);
  const tokensPath = options.tokens ?? join(options.dir, servingStateName);
  const access = accessOf(options);
  const state = await openServing({
    path: tokensPath,
    access,
    now: new Date(),
    revoked: options.revoke,
    isViewerRevoked: false,
  });
  if (!state.ok) return state;
  const catalogue = siteCatalogue(folders, state.value);
  if (!catalogue.ok) return catalogue;
  if (catalogue.value.sites.length === 0) return noSites(folders);
  return success({
    settings: settings.value,
    folders,
    tokensPath,
    access,
    state: state.value,
    catalogue: catalogue.value,
    warnings: options.http === true ? [plainHttp()] : [],
  });
}

/** What is wrong with the folders, and with names that are none of their sites'. */
function unknownSites(folders: readonly string[], revoked: readonly string[]): readonly Problem[] {
  const found = siteCatalogue(folders, noTokens);
  if (!found.ok) return problemsOf(found);
  const names = new Set(found.value.sites.map(({ name }) => name));
  return revoked
    .filter((name) => !names.has(name))
    .map((name) => problem('media/serve-sites', `--revoke ${name}: no site is called so`));
}

/** To look at sites before there are tokens. */
const noTokens: ServingState = {
  tokenKey: '',
  generations: {},
  viewerGeneration: 0,
  authority: { keyPem: '', certPem: '' },
};

function noSites(folders: readonly string[]): Result<never> {
  const message = `there is no site in ${folders.join(', ')}`;
  const hint = 'name the folder of its outputs, or the one above; `sno-install create` writes them';
  return failure(problem('media/serve-sites', message, { hint }));
}

function lacksIso(): Result<never> {
  const hint = 'name the live ISO of the release as it was downloaded';
  return failure(problem('usage/unknown-argument', 'serve needs --iso', { hint }));
}

function plainHttp(): Problem {
  const hint = 'leave --http out where machines know TLS';
  return problem('media/serve-plain', 'media are served without TLS: everybody on the way can read them', {
    hint,
  });
}
