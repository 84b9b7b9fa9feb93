import { programVersion } from '../../core/program-version.js';
import { publicFile, type OutputFile } from '../../core/output-file.js';
import type { TargetName } from '../../run/targets.js';
import type { SiteFacts } from './make-site.js';

/** What became of a site, as fleet.json says it: its outputs are as its files ask, could not be made, or were never come to. */
export type SiteEnding = 'made' | 'failed' | 'not-made';

/** A site in fleet.json. */
export interface SummarySite extends SiteFacts {
  readonly name: string;
  readonly result: SiteEnding;
  /** Codes of what kept it from being made, sorted. */
  readonly problems?: readonly string[];
}

/** fleet.json: what is made of a fleet, without a secret and without the time of a run. */
export interface FleetSummary {
  readonly version: 1;
  readonly program: { readonly version: string; readonly build?: string };
  readonly target: TargetName;
  /** In the order of the table. */
  readonly sites: readonly SummarySite[];
}

/** Its name in the folder of the outputs. */
export const summaryName = 'fleet.json';

/** The summary of sites in the order of their table. What a run did not come to is as an earlier one left it. */
export function fleetSummary(
  by: { readonly target: TargetName; readonly program?: string },
  names: readonly string[],
  { now, before }: { readonly now: readonly SummarySite[]; readonly before?: FleetSummary | undefined },
): FleetSummary {
  const known = new Map([...(before?.sites ?? []), ...now].map((site) => [site.name, site]));
  return {
    version: 1,
    program: { version: programVersion, ...(by.program !== undefined && { build: by.program }) },
    target: by.target,
    sites: names.map((name) => known.get(name) ?? { name, result: 'not-made' }),
  };
}

/** A summary as the file in the folder of the outputs: a line for each site. */
export function summaryFile({ sites, ...head }: FleetSummary): OutputFile {
  const lines = sites.map((site) => `    ${JSON.stringify(site)}`);
  const text = JSON.stringify(head, null, 2).replace(
    /\n\}$/,
    `,\n  "sites": [\n${lines.join(',\n')}\n  ]\n}\n`,
  );
  return publicFile(summaryName, text);
}
