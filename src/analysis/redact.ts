import { withoutSecrets } from '../core/secrets.js';
import { holdsPrivateMaterial } from '../ignition/private-material.js';

const longestLine = 400;

/**
 * A line of a bundle as it may be shown: without secrets, control characters or anything past 400 characters. The node takes
 * secrets out already; a bundle of another tool, or one that was put together by hand, may still hold some.
 */
export function shownLine(line: string): string {
  const plain = line.replace(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '\u00b7',
  );
  const redacted = withoutSecrets(plain).replace(keyBody, '$1[redacted]');
  // What a pattern above missed is not shown in part either.
  const safe = holdsPrivateMaterial(redacted) ? '[a line with a secret]' : redacted;
  return safe.length > longestLine ? `${safe.slice(0, longestLine)}…` : safe;
}

/** A line of a PEM body alone has 64 characters (RFC 7468 §2); digests in hex are as long and no secret. */
const keyBody = /(^|\s)(?![0-9a-f]+(?:\s|$))[A-Za-z0-9+/]{60,}={0,2}(?=\s|$)/g;
