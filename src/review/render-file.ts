import { isUtf8 } from 'node:buffer';

import { sha256 } from '../formats/sha256.js';
import type { Part } from './node-parts.js';
import { isPrivate, maskPrivateText } from './private-text.js';
import { renderManifest } from './render-manifest.js';

/** The parts of a file that determine how it is masked. */
export type RenderedFile = Pick<Part, 'mode' | 'bytes'>;

/** Renders a file without secrets. */
function renderFile(part: RenderedFile): string {
  const given = textOf(part);
  const text = renderManifest(given);
  return isPrivate(part.mode) ? maskPrivateText(text, given) : text;
}

export type RenderFile = (part: RenderedFile) => string;

/** Cache size for texts that occurred once. */
const mostYoung = 200;

/** Returns a `RenderFile` with a cache by content. Texts that occurred once are evicted; repeated texts stay. */
export function cachedRenderFile(): RenderFile {
  const [young, old] = [new Map<string, string>(), new Map<string, string>()];
  return (part) => {
    const key = `${isPrivate(part.mode) ? '-' : '+'}${part.bytes.toString('latin1')}`;
    const known = old.get(key) ?? young.get(key);
    if (known !== undefined) {
      old.set(key, known);
      return known;
    }
    const shown = renderFile(part);
    if (young.size >= mostYoung) young.clear();
    young.set(key, shown);
    return shown;
  };
}

/** Returns the text of a file. For binary content, returns its size, and its hash unless the file is private. */
function textOf({ bytes, mode }: RenderedFile): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  const hash = isPrivate(mode) ? '' : `, SHA-256 ${sha256(bytes)}`;
  return `<${bytes.length} bytes${hash}>\n`;
}
