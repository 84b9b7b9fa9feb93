import { redactSecrets } from '../core/secrets.js';
import { containsPrivateMaterial } from '../ignition/private-material.js';
import { withoutMiddle } from './journal.js';

const longestLine = 1000;

/**
 * A line of a bundle without secrets and control characters, of at most 1000 characters and a note of the number of characters that are left out. The text before
 * `end` is kept: there, a fault was found. Default: the end of the line.
 */
export function shownLine(line: string, end = line.length): string {
  const safe = redactedLine(line);
  if (safe.length <= longestLine) return safe;
  return withoutMiddle(safe, longestLine, redactedLine(line.slice(0, end)).length);
}

/** The whole line. The node already redacts its bundle; one made by another tool or by hand may contain secrets. */
export function redactedLine(line: string): string {
  const plain = line.replace(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '\u00b7',
  );
  const redacted = redactSecrets(plain).replace(keyBody, '$1[redacted]');
  // A line with a secret that the patterns above missed is hidden completely.
  return containsPrivateMaterial(redacted) ? '[line with a secret removed]' : redacted;
}

/** A line of a PEM body has 64 characters (RFC 7468 §2); hex digests have the same length and are not secret. */
const keyBody = /(^|\s)(?![0-9a-f]+(?:\s|$))[A-Za-z0-9+/]{60,}={0,2}(?=\s|$)/g;
