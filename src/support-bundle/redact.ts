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
  const redacted = secretForms.reduce((text, [form, instead]) => text.replace(form, instead), plain);
  // What a pattern above missed is not shown in part either.
  const safe = holdsPrivateMaterial(redacted) ? '[a line with a secret]' : redacted;
  return safe.length > longestLine ? `${safe.slice(0, longestLine)}…` : safe;
}

/** The forms that sno-redact.sh takes out on the node, and parts of a key that stand alone on a line. */
const secretForms: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*/g, '[redacted private key]'],
  [/LS0tLS1CRUdJTiB(QUklW|SU0Eg|FQyBQ|FTkNS|PUEVO)[A-Za-z0-9+/=]*/g, '[redacted private key]'],
  [/(eyJhdXRocyI6|eyAiYXV0aHMi)[A-Za-z0-9+/=]*/g, '[redacted pull secret]'],
  [
    /(\\?"(?:auth|identitytoken|registrytoken|password|token|client-key-data|\.dockerconfigjson)\\?"\s*:\s*\\?")[^"\\]*/gi,
    '$1[redacted]',
  ],
  [
    /((?:^|[^A-Za-z])(?:client-key-data|\.dockerconfigjson|identitytoken|password|token)[:=]\s*)[^\s"[]\S*/gi,
    '$1[redacted]',
  ],
  [/((?:Bearer|Basic) )[A-Za-z0-9._~+/=-]{8,}/gi, '$1[redacted]'],
  [/(:\/\/)[^/@\s:"]+:[^/@\s"]+@/g, '$1[redacted]@'],
  // A JSON Web Token. Source: RFC 7519 §3, whose header begins with {"
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, '[redacted token]'],
  // A line of a PEM body has 64 characters (RFC 7468 §2); digests in hex are as long and no secret.
  [/(^|\s)(?![0-9a-f]+(?:\s|$))[A-Za-z0-9+/]{60,}={0,2}(?=\s|$)/g, '$1[redacted]'],
];
