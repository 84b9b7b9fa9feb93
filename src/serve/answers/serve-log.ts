import { rfc3339 } from '../../core/rfc3339.js';

/** One access log entry. It never contains the request path, because the path contains a token. */
export interface Answered {
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

export function answeredLine({
  at,
  client,
  method,
  what,
  status,
  sentBytes,
  tookMs,
  isCut,
}: Answered): string {
  const end = isCut ? ', cut off' : '';
  return `${rfc3339(at)} ${client} ${method} ${what ?? '?'} ${status}, ${sentBytes} bytes in ${tookMs} ms${end}\n`;
}

export function answeredJson(answered: Answered): string {
  return `${JSON.stringify({ ...answered, at: rfc3339(answered.at) })}\n`;
}
