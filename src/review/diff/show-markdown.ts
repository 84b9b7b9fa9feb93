import type { Difference } from './difference.js';
import { linesOf, titleOf } from './show-text.js';

/** GitHub limits a comment to 65,536 characters (docs.github.com, "body is too long"). The rest is for surrounding text. */
const mostCharacters = 60_000;
const mostOfOne = 8_000;

export interface TitledDifferences {
  /** Empty for no title. */
  readonly title: string;
  readonly differences: readonly Difference[];
}

/** Formats differences for a pull request comment, each in a collapsed section, as many as fit. `what` names the two sides. */
export function differencesMarkdown(differences: readonly Difference[], what: string): string {
  if (differences.length === 0) return `No differences: ${inline(what)}.\n`;
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return groupedDifferencesMarkdown([{ title: '', differences }], `**${count}**: ${inline(what)}\n`);
}

/** The same, with a title per group. */
export function groupedDifferencesMarkdown(groups: readonly TitledDifferences[], head: string): string {
  const parts = groups.flatMap(({ title, differences }) =>
    differences.map(
      (each, index) => (index > 0 || title === '' ? '' : `\n**${escaped(title)}**\n`) + folded(each),
    ),
  );
  let left = mostCharacters - head.length;
  const kept = parts.findIndex((part) => (left -= part.length) < 0);
  if (kept === -1) return [head, ...parts].join('');
  const rest = `\n… and ${parts.length - kept} more differences do not fit in this comment.\n`;
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

/** Formats a text as inline code. */
export function inline(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** Escapes HTML tags, mentions, Markdown and line breaks. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>@`*_\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
