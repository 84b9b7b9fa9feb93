import { mayBeSecret, mayBeSecretArgument } from './secrets.js';

/** A text of the user as messages repeat it: in double quotes, escaped, cut after 60 characters; `"…"` where it may be a secret. */
export function quoted(text: string): string {
  if (mayBeSecret(text)) return '"…"';
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The name of a field as messages repeat it; `"…"` for what is no name, since it may be any part of the file. */
export function quotedName(name: string): string {
  return isName(name) ? `"${name}"` : '"…"';
}

/** Whether a text has the form of a field's name, and none of a secret. */
export function isName(text: string): boolean {
  return /^[\w./-]{1,60}$/.test(text) && !mayBeSecret(text);
}

/** A word of a file as messages have it without quotes: `…` where it may be a secret. */
export function shownWord(word: string): string {
  return mayBeSecret(word) ? '…' : word;
}

/** An argument, a path of the command line for instance, as messages repeat it: `…` where it may be a secret pasted behind the wrong word. */
export function shownArgument(argument: string): string {
  return mayBeSecretArgument(argument) ? '…' : argument;
}
