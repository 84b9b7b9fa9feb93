import { mayBeSecret, mayBeSecretArgument, namesSecret } from './secrets.js';

/** Quotes user text for a message: escaped, and cut after 60 characters; `"…"` if it may be a secret. */
export function quoted(text: string): string {
  if (mayBeSecret(text)) return '"…"';
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Quotes a field name for a message; `"…"` if it is not a valid name, because it may be any part of the file. */
export function quotedName(name: string): string {
  return isName(name) ? `"${name}"` : '"…"';
}

/** Whether a text looks like a field name and not like a secret. */
export function isName(text: string): boolean {
  return /^[\w./-]{1,60}$/.test(text) && !mayBeSecret(text);
}

/** Quotes a field that a schema does not have; `"…"` if it may be a password or key that was pasted before the colon. */
export function quotedUnknownField(name: string): string {
  return isFieldName(name) ? `"${name}"` : '"…"';
}

/** Whether a text is built like a field name: words of letters, each with at most one number of three digits at its end. */
export function isFieldName(text: string): boolean {
  if (!isName(text) || (/\d/.test(text) && namesSecret(text))) return false;
  return text.split(/[._/-]/).every(isWordOfName);
}

/** Names with digits between letters, such as versions of APIs. */
const knownNumbers =
  /^v\d+(?:(?:alpha|beta)\d+)?$|k8s|s390x|x86|x509|e2e|i18n|base64|b64|ipv?[46]|http2|sha\d{1,3}|p\d{3}/gi;

function isWordOfName(part: string): boolean {
  const plain = part.replace(knownNumbers, '');
  if (/[A-Za-z]\d+[a-z]|\d{4}|\d\D+\d|^(?=.*\d)[A-Z\d]{16}/.test(plain)) return false;
  const words = plain.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  // Random letters change their case all the time.
  return words.length < 4 || plain.length / words.length >= 2.5;
}

/** A word of a file, unquoted, for a message; `…` if it may be a secret. */
export function maskedWord(word: string): string {
  return mayBeSecret(word) ? '…' : word;
}

/** A command-line argument, such as a path, for a message; `…` if it may be a secret that was pasted by mistake. */
export function maskedArgument(argument: string): string {
  return mayBeSecretArgument(argument) ? '…' : argument;
}
