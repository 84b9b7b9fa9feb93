import { markOf } from '../../../disk/file-size.js';
import { isOutdated } from '../../../serve/page/shown-phase.js';
import { isFailing } from '../../../serve/reports/node-report.js';
import { reportWord } from '../../../serve/reports/report-word.js';
import { readReports, type HeardReport } from '../../../serve/reports/site-reports.js';
import type { SiteFolder } from '../../../serve/site-folders.js';
import { fleetFindings } from '../../serve/fleet-findings.js';

/** The last report of a node. It is not proof: anyone with the site's token can send it. */
export interface NodeWord {
  readonly word: string;
  /** RFC 3339. */
  readonly heardAt: string;
  /** Whether a service stopped because of a failure. */
  readonly isFailing: boolean;
}

/**
 * Returns a reader of the last node reports by site name. Reads the report file of `serve` at `path`, and again after a change.
 * Ignores reports from before the last boot by `fleet boot`.
 */
export function nodeWords(path: string, sites: readonly SiteFolder[]): () => ReadonlyMap<string, NodeWord> {
  const findings = fleetFindings(() => sites);
  let mark: string | undefined;
  let reports: ReadonlyMap<string, HeardReport> = new Map();
  return () => {
    const present = markOf(path);
    if (present !== mark) reports = readReports(path);
    mark = present;
    const found = findings();
    return new Map(
      sites.flatMap(({ name }) => {
        const report = reports.get(name);
        if (report === undefined || isOutdated(report, found.get(name) ?? {})) return [];
        const { heardAt } = report;
        return [[name, { word: reportWord(report), heardAt, isFailing: isFailing(report) }] as const];
      }),
    );
  };
}
