import { isUtf8 } from 'node:buffer';

import { sha256 } from '../formats/sha256.js';
import type { Part } from './node-parts.js';
import { isPrivate, privateText } from './private-text.js';
import { readableManifest } from './secret-objects.js';

/** A file, as far as it decides what may be shown of it. */
export type Shown = Pick<Part, 'mode' | 'bytes'>;

/** What a person may see of a file. */
function shownText(part: Shown): string {
  const given = textOf(part);
  const text = readableManifest(given);
  return isPrivate(part.mode) ? privateText(text, given) : text;
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

/** The text of a file; of bytes that are none, how many they are, and their hash where everybody may read them. */
function textOf({ bytes, mode }: Shown): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  const hash = isPrivate(mode) ? '' : `, SHA-256 ${sha256(bytes)}`;
  return `<${bytes.length} bytes${hash}>\n`;
}
