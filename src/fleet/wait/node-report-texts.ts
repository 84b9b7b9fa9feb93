import { fingerprintOf } from '../../disk/file-size.js';
import { isOutdated } from '../../serve/page/site-phase.js';
import { isFailing } from '../../serve/reports/node-report.js';
import { describeReport } from '../../serve/reports/describe-report.js';
import { readReports, type ReceivedReport } from '../../serve/reports/site-reports.js';
import type { SiteFolder } from '../../serve/site-folders.js';
import { fleetStatusReader } from '../serving/site-status-reader.js';

/** The last report of a node. It is not proof: anyone with the site's token can send it. */
export interface NodeReportText {
  readonly message: string;
  /** RFC 3339. */
  readonly receivedAt: string;
  /** Whether a service stopped because of a failure. */
  readonly isFailing: boolean;
}

/**
 * Returns a reader of the last node reports by site name. Reads the report file of `serve` at `path`, and again after a change.
 * Ignores reports from before the last boot by `fleet boot`.
 */
export function nodeReportTexts(
  path: string,
  sites: readonly SiteFolder[],
): () => ReadonlyMap<string, NodeReportText> {
  const findings = fleetStatusReader(() => sites);
  let mark: string | undefined;
  let reports: ReadonlyMap<string, ReceivedReport> = new Map();
  return () => {
    const present = fingerprintOf(path);
    if (present !== mark) reports = readReports(path);
    mark = present;
    const found = findings();
    return new Map(
      sites.flatMap(({ name }) => {
        const report = reports.get(name);
        if (report === undefined || isOutdated(report, found.get(name) ?? {})) return [];
        const { receivedAt } = report;
        return [
          [name, { message: describeReport(report), receivedAt, isFailing: isFailing(report) }] as const,
        ];
      }),
    );
  };
}
