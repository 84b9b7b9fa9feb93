/** Formats a time as RFC 3339 in UTC, without fractional seconds, which X.509 certificates cannot hold. */
export function rfc3339(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
