/** How a secret looks in a text, and what stands in its place when the rest of the text is shown. */
interface SecretForm {
  readonly name: string;
  /** With the flag `g`. Takes time in proportion to the text. */
  readonly pattern: RegExp;
  /** As `String.replace` takes it. */
  readonly instead: string;
}

/** Base64 of a text wherever it stands among other bytes: one form for each remainder of its offset by three (RFC 4648 §4). */
function base64Needles(text: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${' '.repeat(offset)}${text}`, 'latin1').toString('base64');
    const bits = (offset + text.length) * 8;
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
  });
}

/** Names of fields and options whose value is a secret, as the products behind a bundle write them. */
const secretNames =
  'auth|identitytoken|registrytoken|password|passwd|secret|token|client-key-data|client-?secret|bearertoken|\\.dockerconfigjson|\\.dockercfg';

/** What names a secret besides, as people call columns of a table and fields of their own; a short one stands as a word. */
const secretWords = new RegExp(
  `${secretNames}|pass(?:code|phrase)|credential|bearer|private|(?:api|access|client)[-_. ]?key|(?<![a-z])(?:pass|pwd?|psk|pin|login)(?![a-z])`,
  'i',
);

/** Whether a name, or a line of text, has a word for a secret in it. Also true of some that have none, such as `author`. */
export function namesSecret(text: string): boolean {
  return secretWords.test(text) || secretWords.test(text.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' '));
}

const keyNeedles = base64Needles('PRIVATE KEY').join('|');

/** A run is looked at once, from its beginning, or a long one would take time in proportion to its square. */
const runStart = '(?<![A-Za-z0-9+/_-])';
const authNeedles = base64Needles('"auth').join('|');

/**
 * The one vocabulary of secrets. Messages, excerpts, `analyze` and the modes of files judge by it; sno-redact.sh holds the same
 * forms as filters. What tells one apart is kept by one corpus: test/support/secret-corpus.ts.
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
  // Source: age-encryption.org/v1, "The X25519 recipient type"; those of post-quantum keys have PQ in them.
  {
    name: 'an identity of age',
    pattern: /AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{8,}/gi,
    instead: '[redacted identity]',
  },
  // A JSON Web Token. Source: RFC 7519 §3, whose header begins with {"
  {
    name: 'a token of OAuth or JWT',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
    instead: '[redacted token]',
  },
  // Source: openshift/oauth-apiserver, sha256TokenPrefix
  { name: 'a token of OpenShift', pattern: /\bsha256~[A-Za-z0-9_-]{8,}/g, instead: '[redacted token]' },
  {
    name: 'a secret field of JSON',
    pattern: new RegExp(`(["'](?:${secretNames})\\\\*["']\\s*:\\s*\\\\*["'])[^"'\\\\]*`, 'gi'),
    instead: '$1[redacted]',
  },
  {
    name: 'a secret field of YAML',
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
  // RFC 3986 §3.2.1; without a colon it is a token or a user alone, which need not be shown either.
  { name: 'the user of a URL', pattern: /(:\/\/)[^/@\s"'<>]+@/g, instead: '$1[redacted]@' },
];

/** A private key block with some of its key, percent-encoded or escaped too: a script that only names the header is no secret. */
export const clearKeyPattern =
  /-----BEGIN(?: |%20)(?:[A-Z0-9]+(?: |%20))*PRIVATE(?: |%20)KEY-----(?:\s|\\n|%0A)+[A-Za-z0-9+/]{16}/;

/** A registry login: config.json of docker and podman. */
export const authSecretPattern = /"auths\\*"\s*:\s*\{[^]*?"auth\\*"\s*:/;

/**
 * A URL with a password, such as that of a proxy; not one whose parts a script fills in. Of its scheme the last character is enough,
 * with which a long text is searched many times faster.
 */
export const urlPasswordPattern = /[a-z0-9]:\/\/[^\s/:@"'<>$]+:[^\s/@"'<>$]+@/;

/** A text without its secrets: what may be shown of a line. A value that begins with `kept` is none, whatever it stands behind. */
export function withoutSecrets(text: string, kept?: string): string {
  return secretForms.reduce((rest, { pattern, instead }) => {
    if (kept === undefined) return rest.replace(pattern, instead);
    return rest.replace(pattern, (found: string, before: unknown) => {
      const head = typeof before === 'string' ? before : '';
      return found.startsWith(kept, head.length) ? found : instead.replace('$1', () => head);
    });
  }, text);
}

/**
 * Whether a value that somebody typed may be a secret, whole or in part: after a slip they turn up where none is expected.
 * Also true of some that are none; what is not shown is told by its place.
 */
export function mayBeSecret(text: string): boolean {
  return slips.test(text) || randomRun(text) || withoutSecrets(text) !== text;
}

/** The same of an argument of the command line, which is most often a path: its parts are judged, not that they stand in a row. */
export function mayBeSecretArgument(text: string): boolean {
  return slips.test(text) || text.split('/').some(randomRun) || withoutSecrets(text) !== text;
}

/** Registry credentials, private keys, and users with their password in a URL or before a host name, cut off or not. */
const slips = /auths?\\*["']|PRIVATE|-----BEGIN (?!CERTIFICATE)|@(?!sha\d+:)|\/\/[^\s/]*:[^\s/]*[^\s/\d\]]/i;

/** Characters of a key or token in base64, which mix all kinds; names and digests do not. */
function randomRun(text: string): boolean {
  const runs = text.match(/[A-Za-z0-9+/=]{20,}/g) ?? [];
  return runs.some((run) => /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d|[+/=]/.test(run));
}
