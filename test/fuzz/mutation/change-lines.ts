import { oddPieces } from './odd-texts.js';
import type { Random } from './random.js';

/** A text with some of its lines, or a stretch of one, changed: taken out, doubled, swapped, set in, cut, or from another text. */
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

/** A line with a piece in the place of a few characters. */
function withPiece(line: string, piece: string, random: Random): string {
  const at = random.below(line.length + 1);
  return line.slice(0, at) + piece + line.slice(at + random.below(8));
}
