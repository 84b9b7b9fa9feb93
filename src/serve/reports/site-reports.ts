import { resolve } from 'node:path';

import { isRecord } from '../../core/is-record.js';
import { mapRecord, omitKeys, sortedRecord } from '../../core/map-record.js';
import { problem, type Problem } from '../../core/problem.js';
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
  readonly receivedAt: string;
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
  { service: textShape(), event: oneOf('started', 'finished', 'failed'), at: timeShape },
  { stage: textShape() },
);
const shape = recordShape(
  objectShape({
    system: oneOf('live', 'node'),
    isComplete: booleanShape,
    stages: listShape(stage),
    receivedAt: timeShape,
  }),
);

/** Many nodes may report in the same second; write the file once for all. */
const writeEveryMs = 2000;

/**
 * Loads the reports from a file and saves new ones. A missing or invalid file is not an error, because each site reports again
 * within minutes. A file that cannot be read is reported, because it cannot be written either.
 */
export function siteReports(path: string, onProblems: (problems: readonly Problem[]) => void): SiteReports {
  const kept = readReports(path, onProblems);
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

/** Returns the last report per site name. Returns an empty map if the file is missing or invalid. Problems: media/serve-state. */
export function readReports(
  path: string,
  onProblems: (problems: readonly Problem[]) => void = () => undefined,
): Map<string, ReceivedReport> {
  const read = readTrustedFile(path);
  if (read.kind === 'unreadable') {
    const hint = 'move it away: each site reports again within minutes';
    const message = `cannot read ${path}: ${read.reason}`;
    onProblems([problem('media/serve-state', message, { at: { file: resolve(path) }, hint })]);
  }
  const value = read.kind === 'file' ? withCurrentNames(parseJson(read.bytes.toString('utf8'))) : undefined;
  if (shape(value, '') !== undefined) return new Map();
  return new Map(Object.entries(checkedAs<Readonly<Record<string, ReceivedReport>>>(value)));
}

/** Reports with the names of this version; 0.1.0 writes `heardAt`, and `came` with the value `ended`. */
function withCurrentNames(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return mapRecord(value, (report) => {
    if (!isRecord(report) || !Array.isArray(report['stages'])) return report;
    const stages = report['stages'].map((stage: unknown) => {
      if (!isRecord(stage) || stage['came'] === undefined) return stage;
      const event = stage['came'] === 'ended' ? 'finished' : stage['came'];
      return { ...omitKeys(stage, ['came']), event };
    });
    const { heardAt, ...more } = report;
    return { ...more, stages, ...(heardAt !== undefined && { receivedAt: heardAt }) };
  });
}
