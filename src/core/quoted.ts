/**
 * Registry credentials, private keys, URLs with user and password, whole or in part: after a slip they turn up where
 * no secret is expected.
 */
const secret = /auths?["']|PRIVATE KEY|@(?!sha\d+:)|\/\/[^\s/]*:[^\s/]*[^\s/\d]/i;

/** A text of the user as messages repeat it: in double quotes, escaped, cut after 60 characters; `"…"` where it may be a secret. */
export function quoted(text: string): string {
  if (secret.test(text)) return '"…"';
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The name of a field as messages repeat it; `"…"` for what is no name, since it may be any part of the file. */
export function quotedName(name: string): string {
  return /^[\w./-]{1,60}$/.test(name) ? `"${name}"` : '"…"';
}
