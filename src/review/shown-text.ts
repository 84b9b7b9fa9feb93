import { isUtf8 } from 'node:buffer';

import { parseAddress } from '../formats/cidr.js';
import { sha256 } from '../formats/sha256.js';
import type { Part } from './node-parts.js';
import { hidden } from './readable.js';
import { readableManifest } from './secret-objects.js';

/** A file, as far as it decides what may be shown of it. */
export type Shown = Pick<Part, 'mode' | 'bytes'>;

/** What a person may see of a file. */
function shownText(part: Shown): string {
  const text = readableManifest(textOf(part));
  return isPrivate(part.mode) ? withoutBareSecrets(text) : text;
}

/** Shows files. */
export type ShowText = (part: Shown) => string;

/** How many texts are kept that were shown once. */
const mostYoung = 200;

/** Shows files, those with the same bytes again as they were shown before; of many that come but once not all are kept. */
export function keepingShownTexts(): ShowText {
  const [young, old] = [new Map<string, string>(), new Map<string, string>()];
  return (part) => {
    const key = `${isPrivate(part.mode) ? '-' : '+'}${part.bytes.toString('latin1')}`;
    const known = old.get(key) ?? young.get(key);
    if (known !== undefined) {
      old.set(key, known);
      return known;
    }
    const shown = shownText(part);
    if (young.size >= mostYoung) young.clear();
    young.set(key, shown);
    return shown;
  };
}

/** A file for its owner alone that holds one word holds a secret, and so may a word of a key's length in a longer one. */
function withoutBareSecrets(text: string): string {
  if (/^\s*\S+\s*$/.test(text) && !isNoSecret(text.trim())) return `${hidden}\n`;
  return text.replaceAll(keyLength, (word) => (isKeyLike(word) ? hidden : word));
}

/** A fact, JSON without blanks, a URL, an address, a placeholder. */
function isNoSecret(word: string): boolean {
  return /^(?:[<{[]|\w+:\/\/|@@)/.test(word) || parseAddress(word) !== undefined;
}

/** A word as long as a key, but for public keys of SSH, which stand behind their type. */
const keyLength = /(?<![A-Za-z0-9+/_.-])(?<!\b(?:ssh|ecdsa|sk)-\S+ )[A-Za-z0-9+/]{32,}={0,2}(?![\w.-])/g;

/** Characters of a key in base64, which mix all kinds; paths, names and digests do not. */
function isKeyLike(word: string): boolean {
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}

/** The text of a file; of bytes that are none, how many they are, and their hash where everybody may read them. */
function textOf({ bytes, mode }: Shown): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  const hash = isPrivate(mode) ? '' : `, SHA-256 ${sha256(bytes)}`;
  return `<${bytes.length} bytes${hash}>\n`;
}

/** Whether nobody but the owner may read a file of that mode. */
function isPrivate(mode: number): boolean {
  return (mode & 0o077) === 0;
}
