import { sortedRecord } from '../../core/map-record.js';
import type { Problem } from '../../core/problem.js';
import { readTrustedFile } from '../../disk/trust.js';
import { replaceFile } from '../../disk/replace-file.js';
import {
  listShape,
  objectShape,
  recordShape,
  textShape,
  timeShape,
  booleanShape,
  type Shape,
} from '../../disk/state/state-shape.js';
import { checkedAs } from '../../formats/apply-schema.js';
import { parseJson } from '../../formats/json.js';
import type { NodeReport } from './node-report.js';

/** The last report of a site, with its time of arrival by the clock of the server, in RFC 3339. */
export interface ReceivedReport extends NodeReport {
  readonly heardAt: string;
}

export interface SiteReports {
  of(site: string): ReceivedReport | undefined;
  put(site: string, report: ReceivedReport): void;
  /** Writes pending reports. */
  close(): void;
}

/** The file with the last reports, next to the token file. Contains no secret. */
export function reportsPath(tokensPath: string): string {
  return `${tokensPath}.reports`;
}

const oneOf = (...words: readonly string[]): Shape =>
  textShape(words.join(' or '), (value) => words.includes(value));
const stage = objectShape(
  { service: textShape(), came: oneOf('started', 'ended', 'failed'), at: timeShape },
  { stage: textShape() },
);
const shape = recordShape(
  objectShape({
    system: oneOf('live', 'node'),
    isComplete: booleanShape,
    stages: listShape(stage),
    heardAt: timeShape,
  }),
);

/** Many nodes may report in the same second; write the file once for all. */
const writeEveryMs = 2000;

/**
 * Loads the reports from a file and saves new ones. A missing or invalid file is not an error, because each site reports again
 * within minutes.
 */
export function siteReports(path: string, onProblems: (problems: readonly Problem[]) => void): SiteReports {
  const kept = readReports(path);
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const written = replaceFile(path, `${JSON.stringify(sortedRecord(kept))}\n`);
    if (!written.ok) onProblems(written.problems);
  };
  return {
    of: (site) => kept.get(site),
    put: (site, report) => {
      kept.set(site, report);
      timer ??= setTimeout(write, writeEveryMs);
    },
    close: () => {
      if (timer !== undefined) write();
    },
  };
}

/** Returns the last report per site name. Returns an empty map if the file is missing or invalid. */
export function readReports(path: string): Map<string, ReceivedReport> {
  const read = readTrustedFile(path);
  const value = read.kind === 'file' ? parseJson(read.bytes.toString('utf8')) : undefined;
  if (shape(value, '') !== undefined) return new Map();
  return new Map(Object.entries(checkedAs<Readonly<Record<string, ReceivedReport>>>(value)));
}
