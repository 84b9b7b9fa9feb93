import { rfc3339 } from '../../core/rfc3339.js';

/** One access log entry. It never contains the request path, because the path contains a token. */
export interface AccessLogEntry {
  readonly at: Date;
  readonly client: string;
  readonly method: string;
  /** Site and file, such as `site1/live.iso`; absent for a 404. */
  readonly what?: string;
  readonly status: number;
  readonly sentBytes: number;
  readonly tookMs: number;
  /** The connection closed before the whole response was sent. */
  readonly isCut: boolean;
}

export function accessLogLine({
  at,
  client,
  method,
  what,
  status,
  sentBytes,
  tookMs,
  isCut,
}: AccessLogEntry): string {
  const end = isCut ? ', cut off' : '';
  return `${rfc3339(at)} ${client} ${method} ${what ?? '?'} ${status}, ${sentBytes} bytes in ${tookMs} ms${end}\n`;
}

export function accessLogJson({ at, what, tookMs, isCut, ...entry }: AccessLogEntry): string {
  const file = what === undefined ? {} : { file: what };
  const data = { at: rfc3339(at), ...entry, ...file, durationMs: tookMs, isIncomplete: isCut };
  return `${JSON.stringify(data)}\n`;
}
