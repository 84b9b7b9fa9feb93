import { mayBeSecret, mayBeSecretArgument } from './secrets.js';

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

/** A word of a file, unquoted, for a message; `…` if it may be a secret. */
export function maskedWord(word: string): string {
  return mayBeSecret(word) ? '…' : word;
}

/** A command-line argument, such as a path, for a message; `…` if it may be a secret that was pasted by mistake. */
export function maskedArgument(argument: string): string {
  return mayBeSecretArgument(argument) ? '…' : argument;
}
