import { isUtf8 } from 'node:buffer';

import { sha256 } from '../formats/sha256.js';
import type { Part } from './node-parts.js';
import { isPrivate, privateText } from './private-text.js';
import { readableManifest } from './secret-objects.js';

/** The parts of a file that determine how it is masked. */
export type Shown = Pick<Part, 'mode' | 'bytes'>;

/** Renders a file without secrets. */
function shownText(part: Shown): string {
  const given = textOf(part);
  const text = readableManifest(given);
  return isPrivate(part.mode) ? privateText(text, given) : text;
}

export type ShowText = (part: Shown) => string;

/** Cache size for texts that occurred once. */
const mostYoung = 200;

/** Returns a `ShowText` with a cache by content. Texts that occurred once are evicted; repeated texts stay. */
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

/** Returns the text of a file. For binary content, returns its size, and its hash unless the file is private. */
function textOf({ bytes, mode }: Shown): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  const hash = isPrivate(mode) ? '' : `, SHA-256 ${sha256(bytes)}`;
  return `<${bytes.length} bytes${hash}>\n`;
}
