import type { Difference } from './difference.js';
import { linesOf, titleOf } from './show-text.js';

/** A comment of GitHub holds no more than 65,536 characters (docs.github.com, "body is too long"); some are left for what surrounds it. */
const mostCharacters = 60_000;
const mostOfOne = 8_000;

/** Differences with a line that says whose they are. */
export interface TitledDifferences {
  /** Empty where nothing needs to be said. */
  readonly title: string;
  readonly differences: readonly Difference[];
}

/** Differences for a comment on a pull request: each folded, as many as fit; `what` names the two sides. */
export function markdownOf(differences: readonly Difference[], what: string): string {
  if (differences.length === 0) return `No difference: ${inline(what)}.\n`;
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return markdownOfGroups([{ title: '', differences }], `**${count}**: ${inline(what)}\n`);
}

/** The same below a title for each group. */
export function markdownOfGroups(groups: readonly TitledDifferences[], head: string): string {
  const parts = groups.flatMap(({ title, differences }) =>
    differences.map(
      (each, index) => (index > 0 || title === '' ? '' : `\n**${escaped(title)}**\n`) + folded(each),
    ),
  );
  let left = mostCharacters - head.length;
  const kept = parts.findIndex((part) => (left -= part.length) < 0);
  if (kept === -1) return [head, ...parts].join('');
  const rest = `\n… and ${parts.length - kept} more, which this comment has no room for.\n`;
  return [head, ...parts.slice(0, kept), rest].join('');
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

/** A text as code, as it is. */
export function inline(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** What a reader sees is what is there: no tag, no mention, no line break. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>@`*_\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
