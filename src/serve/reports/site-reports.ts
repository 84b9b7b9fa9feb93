import { sortedRecord } from '../../core/map-record.js';
import type { Problem } from '../../core/problem.js';
import { readOwnFile } from '../../disk/regular-file.js';
import { replaceFile } from '../../disk/replace-file.js';
import { list, members, names, text, time, truth, type Shape } from '../../disk/state/state-shape.js';
import { checkedAs } from '../../formats/fit-schema.js';
import { parseJson } from '../../formats/json.js';
import type { NodeReport } from './node-report.js';

/** The last report of a site, and when it came by the clock of the server, in RFC 3339. */
export interface HeardReport extends NodeReport {
  readonly heardAt: string;
}

/** The last report of each site, in memory and in a file. */
export interface SiteReports {
  of(site: string): HeardReport | undefined;
  put(site: string, report: HeardReport): void;
  /** Writes what has not been written yet. */
  close(): void;
}

/** Where reports are kept, beside the file of tokens; they hold no secret. */
export function reportsPath(tokensPath: string): string {
  return `${tokensPath}.reports`;
}

const oneOf = (...words: readonly string[]): Shape =>
  text(words.join(' or '), (value) => words.includes(value));
const stage = members(
  { service: text(), came: oneOf('started', 'ended', 'failed'), at: time },
  { stage: text() },
);
const shape = names(
  members({ system: oneOf('live', 'node'), isComplete: truth, stages: list(stage), heardAt: time }),
);

/** Many nodes may report in one second: their file is written once. */
const writeEveryMs = 2000;

/** The reports in a file; none where there is no such file, or it is none of reports: the next of each site comes within minutes. */
export function siteReports(path: string, tell: (problems: readonly Problem[]) => void): SiteReports {
  const kept = readReports(path);
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const written = replaceFile(path, `${JSON.stringify(sortedRecord(kept))}\n`);
    if (!written.ok) tell(written.problems);
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

/** The last report of each site in a file, by name; none where there is no such file, or it is none of reports. */
export function readReports(path: string): Map<string, HeardReport> {
  const read = readOwnFile(path);
  const value = read.kind === 'file' ? parseJson(read.bytes.toString('utf8')) : undefined;
  if (shape(value, '') !== undefined) return new Map();
  return new Map(Object.entries(checkedAs<Readonly<Record<string, HeardReport>>>(value)));
}
