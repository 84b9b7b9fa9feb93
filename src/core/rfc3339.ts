/** A time in RFC 3339, UTC, without fractions of a second, which certificates do not know. */
export function rfc3339(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
