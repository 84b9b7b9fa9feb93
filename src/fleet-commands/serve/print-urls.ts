import type { GlobalOptions } from '../../command-line/options.js';
import { report } from '../../command-line/output/report.js';
import type { Problem } from '../../core/problem.js';
import { viewUrl } from '../../serving/page/page-session.js';
import { siteUrl } from '../../serving/media-urls.js';
import { fingerprintOf } from '../../serving/tokens/server-certificate.js';
import type { ServingState } from '../../serving/tokens/serving-state.js';
import { siteToken, type SiteCatalogue } from '../../serving/site-catalogue.js';

/** What is printed of sites and of the server that gives out their media. */
export interface UrlList {
  readonly base: URL;
  readonly state: ServingState;
  readonly catalogue: SiteCatalogue;
  /** Whether the server shows a certificate of its own authority. */
  readonly hasAuthority: boolean;
  readonly warnings: readonly Problem[];
}

/** Prints where each site's medium is: secrets, for whoever asked for them. */
export function printUrls(options: GlobalOptions, list: UrlList): void {
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
  const fingerprint = fingerprintOf(state.authority.certPem);
  report(options, {
    problems: warnings,
    text: `${sites.map(({ name, iso }) => `${name}  ${iso}\n`).join('')}\nThe page for people: ${page}\n`,
    json: {
      sites,
      page,
      ...(hasAuthority && { authority: { sha256: fingerprint, pem: state.authority.certPem } }),
    },
  });
}
