import { rfc3339 } from '../../core/rfc3339.js';

/** What is said of an answer: never a path as it was asked for, which holds a token. */
export interface Answered {
  readonly at: Date;
  readonly client: string;
  readonly method: string;
  /** Site and file; absent where nothing was found. */
  readonly what?: string;
  readonly status: number;
  readonly sentBytes: number;
  readonly tookMs: number;
  /** Whether the client went away, or was sent away, before all was sent. */
  readonly isCut: boolean;
}

/** An answer as one line for people. */
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

/** The same as a line of JSON. */
export function answeredJson(answered: Answered): string {
  return `${JSON.stringify({ ...answered, at: rfc3339(answered.at) })}\n`;
}
