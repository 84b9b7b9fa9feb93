/** The pattern of a kind of secret, and its replacement in printed text. */
interface SecretForm {
  readonly name: string;
  /** Has the flag `g` and runs in linear time. */
  readonly pattern: RegExp;
  /** Replacement string in the syntax of `String.replace`. */
  readonly instead: string;
}

/** Base64 of a text at any position in other data: one form for each offset modulo three (RFC 4648 §4). */
function base64Needles(text: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${' '.repeat(offset)}${text}`, 'latin1').toString('base64');
    const bits = (offset + text.length) * 8;
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
  });
}

/** Names of secret fields and options in the products whose files a log bundle contains. */
const secretNames =
  'auth|identitytoken|registrytoken|password|passwd|secret|token|client-key-data|client-?secret|bearertoken|\\.dockerconfigjson|\\.dockercfg';

/** More names of secrets, as used for table columns and the user's own fields. Short ones must be whole words. */
const secretWords = new RegExp(
  `${secretNames}|pass(?:code|phrase)|credential|bearer|private|(?:api|access|client)[-_. ]?key|(?<![a-z])(?:pass|pwd?|psk|pin|login)(?![a-z])`,
  'i',
);

/** Whether a name or a line of text contains a word for a secret. Has false positives, such as `author`. */
export function namesSecret(text: string): boolean {
  return secretWords.test(text) || secretWords.test(text.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' '));
}

const keyNeedles = base64Needles('PRIVATE KEY').join('|');

/** Matches only at the start of a run of characters; otherwise a long run would take quadratic time. */
const runStart = '(?<![A-Za-z0-9+/_-])';
const authNeedles = base64Needles('"auth').join('|');

/**
 * The patterns of secrets for messages, excerpts, `analyze` and file modes. sno-redact.sh implements the same patterns as filters.
 * test/support/secret-corpus.ts tests both.
 */
const secretForms: readonly SecretForm[] = [
  {
    name: 'a private key',
    pattern: /-----BEGIN(?: |%20)(?:[A-Z0-9]+(?: |%20))*PRIVATE(?: |%20)KEY(?:(?: |%20)BLOCK)?-----.*/g,
    instead: '[redacted private key]',
  },
  {
    name: 'a private key in base64',
    pattern: new RegExp(`${runStart}[A-Za-z0-9+/_-]*?(?:${keyNeedles})[A-Za-z0-9+/=_-]*`, 'g'),
    instead: '[redacted private key]',
  },
  {
    name: 'a pull secret in base64',
    pattern: new RegExp(`${runStart}[A-Za-z0-9+/_-]*?(?:${authNeedles})[A-Za-z0-9+/=_-]*`, 'g'),
    instead: '[redacted pull secret]',
  },
  // Source: age-encryption.org/v1, "The X25519 recipient type". Post-quantum keys contain PQ.
  {
    name: 'an age identity',
    pattern: /AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{8,}/gi,
    instead: '[redacted identity]',
  },
  // JSON Web Token. Source: RFC 7519 §3; its header begins with {"
  {
    name: 'an OAuth token or a JWT',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
    instead: '[redacted token]',
  },
  // Source: openshift/oauth-apiserver, sha256TokenPrefix
  { name: 'an OpenShift token', pattern: /\bsha256~[A-Za-z0-9_-]{8,}/g, instead: '[redacted token]' },
  {
    name: 'a secret field in JSON',
    pattern: new RegExp(`(["'](?:${secretNames})\\\\*["']\\s*:\\s*\\\\*["'])[^"'\\\\]*`, 'gi'),
    instead: '$1[redacted]',
  },
  {
    name: 'a secret field in YAML',
    pattern: new RegExp(`((?:^|[^A-Za-z"'.-])(?:${secretNames}):\\s+["']?)[^\\s"'[{|>]\\S*`, 'gi'),
    instead: '$1[redacted]',
  },
  {
    name: 'a secret option',
    pattern: /((?:^|[^A-Za-z])[\w.-]{0,40}?(?:password|passwd|token|secret)=["']?)[^\s"'[&]+/gi,
    instead: '$1[redacted]',
  },
  {
    name: 'the credentials of a request',
    pattern: /((?:Bearer|Basic) )[A-Za-z0-9._~+/=-]{8,}/gi,
    instead: '$1[redacted]',
  },
  // RFC 3986 §3.2.1. User information without a colon is a token or a user name; both are masked.
  { name: 'the user of a URL', pattern: /(:\/\/)[^/@\s"'<>]+@/g, instead: '$1[redacted]@' },
];

/** A private key block with at least part of the key, also percent-encoded or escaped. A script that only names the header does not match. */
export const clearKeyPattern =
  /-----BEGIN(?: |%20)(?:[A-Z0-9]+(?: |%20))*PRIVATE(?: |%20)KEY-----(?:\s|\\n|%0A)+[A-Za-z0-9+/]{16}/;

/** Registry credentials in the format of docker's and podman's config.json. */
export const authSecretPattern = /"auths\\*"\s*:\s*\{[^]*?"auth\\*"\s*:/;

/**
 * A URL with a password, such as a proxy URL. URLs with variables of a script do not match. The pattern starts at the last character
 * of the scheme, which makes searching long texts many times faster.
 */
export const urlPasswordPattern = /[a-z0-9]:\/\/[^\s/:@"'<>$]+:[^\s/@"'<>$]+@/;

/** Masks the secrets in a text. Values that begin with `kept` are not masked. */
export function redactSecrets(text: string, kept?: string): string {
  return secretForms.reduce((rest, { pattern, instead }) => {
    if (kept === undefined) return rest.replace(pattern, instead);
    return rest.replace(pattern, (found: string, before: unknown) => {
      const head = typeof before === 'string' ? before : '';
      return found.startsWith(kept, head.length) ? found : instead.replace('$1', () => head);
    });
  }, text);
}

/**
 * Whether user input may be or contain a secret, which can appear in any field by mistake. Has false positives;
 * messages then give the value's place instead.
 */
export function mayBeSecret(text: string): boolean {
  return slips.test(text) || randomRun(text) || redactSecrets(text) !== text;
}

/** The same check for a command-line argument. Arguments are mostly paths, so each path component is checked by itself. */
export function mayBeSecretArgument(text: string): boolean {
  return slips.test(text) || text.split('/').some(randomRun) || redactSecrets(text) !== text;
}

/** Registry credentials, private keys, and `user:password` in a URL or before a host name, complete or cut off. */
const slips = /auths?\\*["']|PRIVATE|-----BEGIN (?!CERTIFICATE)|@(?!sha\d+:)|\/\/[^\s/]*:[^\s/]*[^\s/\d\]]/i;

/** A run with the mix of characters of a base64 key or token. Names and digests do not have that mix. */
function randomRun(text: string): boolean {
  const runs = text.match(/[A-Za-z0-9+/=]{20,}/g) ?? [];
  return runs.some(
    (run) => !identifier.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d|[+/=]/.test(run),
  );
}

/** Words of at least three letters and acronyms, such as `OperatorLifecycleManagerV1` and `ConfigurablePKI=true`. */
const identifier = /^[A-Z]{0,5}[a-z]{3,}(?:[A-Z]{1,5}[a-z]{3,})*[A-Z]{0,5}\d{0,2}(?:=(?:true|false))?$/;
