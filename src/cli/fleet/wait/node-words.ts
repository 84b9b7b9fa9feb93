import { markOf } from '../../../disk/file-size.js';
import { isOutdated } from '../../../serve/page/shown-phase.js';
import { isFailing } from '../../../serve/reports/node-report.js';
import { reportWord } from '../../../serve/reports/report-word.js';
import { readReports, type HeardReport } from '../../../serve/reports/site-reports.js';
import type { SiteFolder } from '../../../serve/site-folders.js';
import { fleetFindings } from '../../serve/fleet-findings.js';

/** What a node reported last. It proves nothing: whoever has the token of a site can report for it. */
export interface NodeWord {
  readonly word: string;
  /** When it was heard, in RFC 3339. */
  readonly heardAt: string;
  /** Whether a failure stopped a service. */
  readonly isFailing: boolean;
}

/**
 * What the nodes of sites reported last, by name: what `serve` keeps at `path`, read again when it is written anew. A report from before
 * the last boot by `fleet boot` is none.
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
