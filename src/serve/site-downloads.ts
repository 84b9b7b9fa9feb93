import { sortedRecord } from '../core/map-record.js';
import type { Problem } from '../core/problem.js';
import { rfc3339 } from '../core/rfc3339.js';
import { replaceFile } from '../disk/replace-file.js';
import { countShape, objectShape, recordShape, textShape, timeShape } from '../disk/state/state-shape.js';
import { readTrustedFile } from '../disk/trust.js';
import { checkedAs } from '../formats/apply-schema.js';
import { parseJson } from '../formats/json.js';
import type { DownloadStatus } from './download-tracker.js';

/** The requests of a site for its medium. Contains no secret. */
export interface SiteDownload {
  /** Bytes of the medium that were sent at least once, and its size; both 0 if only other files were requested. */
  readonly sentBytes: number;
  readonly mediumBytes: number;
  /** The last requested file, and when, in RFC 3339. */
  readonly lastFile: string;
  readonly lastAt: string;
}

/** The file with the downloads of all sites, next to the token file of `serve`. */
export function downloadsPath(tokensPath: string): string {
  return `${tokensPath}.downloads`;
}

const shape = recordShape(
  objectShape({ sentBytes: countShape, mediumBytes: countShape, lastFile: textShape(), lastAt: timeShape }),
);

/** Downloads by site name; none if the file is missing or invalid. */
export function readDownloads(path: string): Map<string, SiteDownload> {
  const read = readTrustedFile(path);
  const value = read.kind === 'file' ? parseJson(read.bytes.toString('utf8')) : undefined;
  if (shape(value, '') !== undefined) return new Map();
  return new Map(Object.entries(checkedAs<Readonly<Record<string, SiteDownload>>>(value)));
}

export interface DownloadRecord {
  /** Called after each change of a site's download. */
  onChange(site: string): void;
  /** Writes pending changes. */
  close(): void;
}

/** A medium is requested in thousands of ranges. */
const writeEveryMs = 5000;

/**
 * Keeps the downloads in a file, also those from before a restart of the server. A file that cannot be written is a problem of the
 * server: those of `replaceFile`.
 */
export function downloadRecord(
  path: string,
  statusOf: (site: string) => DownloadStatus,
  onProblems: (problems: readonly Problem[]) => void,
): DownloadRecord {
  const kept = readDownloads(path);
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const site of changed) {
      const { givenBytes, ofBytes, last } = statusOf(site);
      if (last === undefined) continue;
      const { what, at } = last;
      kept.set(site, { sentBytes: givenBytes, mediumBytes: ofBytes, lastFile: what, lastAt: rfc3339(at) });
    }
    changed.clear();
    const written = replaceFile(path, `${JSON.stringify(sortedRecord(kept))}\n`);
    if (!written.ok) onProblems(written.problems);
  };
  return {
    onChange: (site) => {
      changed.add(site);
      timer ??= setTimeout(write, writeEveryMs);
    },
    close: () => {
      if (timer !== undefined) write();
    },
  };
}
