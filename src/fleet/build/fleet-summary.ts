import { programVersion } from '../../core/program-version.js';
import { publicFile, type OutputFile } from '../../core/output-file.js';
import type { TargetName } from '../../run/targets.js';
import type { SiteFacts } from './build-site.js';

/** Result of a site in fleet.json: outputs are current (`created`), could not be created (`failed`), or no run has reached the site (`not-started`). */
export type SiteOutcomeSummary = 'created' | 'failed' | 'not-started';

/** An entry of `sites` in fleet.json. */
export interface SummarySite extends SiteFacts {
  readonly name: string;
  readonly result: SiteOutcomeSummary;
  /** Codes of the errors, sorted. */
  readonly problems?: readonly string[];
}

/** fleet.json: contains no secret and no time of the run. */
export interface FleetSummary {
  readonly version: 2;
  readonly program: { readonly version: string; readonly build?: string };
  readonly target: TargetName;
  /** In the order of the table. */
  readonly sites: readonly SummarySite[];
}

/** File name in the outputs folder. */
export const summaryName = 'fleet.json';

/** Summary in the order of the table. Sites that this run did not reach keep the entry of the earlier summary. */
export function fleetSummary(
  by: { readonly target: TargetName; readonly program?: string },
  names: readonly string[],
  { now, before }: { readonly now: readonly SummarySite[]; readonly before?: FleetSummary | undefined },
): FleetSummary {
  const known = new Map([...(before?.sites ?? []), ...now].map((site) => [site.name, site]));
  return {
    version: 2,
    program: { version: programVersion, ...(by.program !== undefined && { build: by.program }) },
    target: by.target,
    sites: names.map((name) => known.get(name) ?? { name, result: 'not-started' }),
  };
}

/** Serializes a summary with one line for each site. */
export function summaryFile({ sites, ...head }: FleetSummary): OutputFile {
  const lines = sites.map((site) => `    ${JSON.stringify(site)}`);
  const text = JSON.stringify(head, null, 2).replace(
    /\n\}$/,
    `,\n  "sites": [\n${lines.join(',\n')}\n  ]\n}\n`,
  );
  return publicFile(summaryName, text);
}
