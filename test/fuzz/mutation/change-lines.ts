import { oddPieces } from './odd-texts.js';
import type { Random } from './random.js';

/** Deletes, doubles, swaps, inserts or cuts lines, or replaces a part of a line; inserted text may come from `other`. */
export function changeLines(text: string, other: string, words: readonly string[], random: Random): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  const put = (...instead: readonly string[]): string =>
    [...lines.slice(0, at), ...instead, ...lines.slice(at + 1)].join('\n');
  switch (random.below(10)) {
    case 0:
      return put();
    case 1:
      return put(line, line);
    case 2:
      return put(lines[at + 1] ?? '', line);
    case 3:
      return put(random.below(2) === 0 ? `  ${line}` : line.replace(/^ {1,2}/, ''));
    case 4:
      return put(line.slice(0, random.below(line.length + 1)));
    case 5:
      return put(line, random.pick(other.split('\n')));
    case 6:
      return text.slice(0, random.below(text.length + 1));
    case 7:
      return put(withPiece(line, random.pick(words.length === 0 ? oddPieces : words), random));
    case 8:
      return put(line.repeat(1 + random.below(20)));
    default:
      return put(withPiece(line, random.pick(oddPieces), random));
  }
}

/** Replaces a few characters of a line. */
function withPiece(line: string, piece: string, random: Random): string {
  const at = random.below(line.length + 1);
  return line.slice(0, at) + piece + line.slice(at + random.below(8));
}
