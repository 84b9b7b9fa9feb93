import type { Difference } from './difference.js';
import { linesOf, titleOf } from './show-text.js';

/** A comment of GitHub holds no more than 65,536 characters (docs.github.com, "body is too long"); some are left for what surrounds it. */
const mostCharacters = 60_000;
const mostOfOne = 8_000;

/** Differences for a comment on a pull request: each folded, as many as fit; `what` names the two sides. */
export function markdownOf(differences: readonly Difference[], what: string): string {
  if (differences.length === 0) return `No difference: ${inline(what)}.\n`;
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  const head = `**${count}**: ${inline(what)}\n`;
  const parts: string[] = [head];
  let left = mostCharacters - head.length;
  for (const [index, difference] of differences.entries()) {
    const part = folded(difference);
    if (part.length > left) {
      parts.push(`\n… and ${differences.length - index} more, which this comment has no room for.\n`);
      break;
    }
    left -= part.length;
    parts.push(part);
  }
  return parts.join('');
}

function folded(difference: Difference): string {
  const lines = linesOf(difference).map((line) => line.replace(/^ {4}/, ''));
  const title = `<code>${escaped(titleOf(difference))}</code>`;
  if (lines.length === 0) return `\n- ${title}\n`;
  const text = shortened(lines.join('\n'));
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `\n<details><summary>${title}</summary>\n\n${fence}diff\n${text}\n${fence}\n\n</details>\n`;
}

function shortened(text: string): string {
  if (text.length <= mostOfOne) return text;
  const kept = text.slice(0, mostOfOne).replace(/\n[^\n]*$/, '');
  return `${kept}\n… and ${text.slice(kept.length + 1).split('\n').length} more lines`;
}

function inline(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** What a reader sees is what is there: no tag, no mention, no line break. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>@`*_\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
