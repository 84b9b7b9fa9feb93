import { redactSecrets } from '../core/secrets.js';
import { containsPrivateMaterial } from '../ignition/private-material.js';

const longestLine = 1000;

/**
 * A line of a bundle without secrets and control characters, cut at 1000 characters. The node already redacts its bundle; one made by
 * another tool or by hand may contain secrets.
 */
export function shownLine(line: string): string {
  const plain = line.replace(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '\u00b7',
  );
  const redacted = redactSecrets(plain).replace(keyBody, '$1[redacted]');
  // A line with a secret that the patterns above missed is hidden completely.
  const safe = containsPrivateMaterial(redacted) ? '[line with a secret removed]' : redacted;
  return safe.length > longestLine ? `${safe.slice(0, longestLine)}…` : safe;
}

/** A line of a PEM body has 64 characters (RFC 7468 §2); hex digests have the same length and are not secret. */
const keyBody = /(^|\s)(?![0-9a-f]+(?:\s|$))[A-Za-z0-9+/]{60,}={0,2}(?=\s|$)/g;
