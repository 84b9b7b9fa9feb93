import type { AccessLogEntry } from '../answers/access-log.js';

/** Counters since the server started. */
export interface ServerCounts {
  readonly onResponse: (entry: Pick<AccessLogEntry, 'status' | 'sentBytes'>) => void;
  readonly onDownload: () => void;
  readonly onReport: () => void;
  readonly read: () => CountsSoFar;
}

export interface CountsSoFar {
  /** Responses by HTTP status. */
  readonly responses: ReadonlyMap<number, number>;
  readonly sentBytes: number;
  readonly downloads: number;
  readonly reports: number;
}

export function serverCounts(): ServerCounts {
  const responses = new Map<number, number>();
  let [sentBytes, downloads, reports] = [0, 0, 0];
  return {
    onResponse: (entry) => {
      responses.set(entry.status, (responses.get(entry.status) ?? 0) + 1);
      sentBytes += entry.sentBytes;
    },
    onDownload: () => {
      downloads += 1;
    },
    onReport: () => {
      reports += 1;
    },
    read: () => ({ responses, sentBytes, downloads, reports }),
  };
}
