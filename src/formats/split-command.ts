/** Words of a command line, or the reason why it cannot be split. */
export type SplitCommand = { readonly words: readonly string[] } | { readonly fault: string };

/**
 * Splits a command line into words like a POSIX shell, without any expansion. Words are separated by whitespace. Single quotes keep
 * everything literally. In double quotes and outside of quotes, a backslash escapes the next character. Unquoted shell syntax is
 * rejected; quote such characters to use them literally.
 */
export function splitCommand(line: string): SplitCommand {
  const fault = whyUnsplit(line);
  if (fault !== undefined) return { fault };
  const words = [...line.matchAll(word)].map(([text]) => text.replace(part, unquoted));
  return words.length === 0 ? { fault: 'is empty' } : { words };
}

/** Single-quoted text, double-quoted text, an escaped character, or any other one. */
const part = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\])/g;
const word = new RegExp(`(?:${part.source})+`, 'g');

function unquoted(
  _part: string,
  single: string | undefined,
  double: string | undefined,
  ...[escaped, plain]: readonly (string | undefined)[]
): string {
  // Source: POSIX, Shell Command Language, 2.2.3
  return single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? plain ?? '';
}

function whyUnsplit(line: string): string | undefined {
  const rest = line.replace(part, (text, ...groups: (string | undefined)[]) => {
    const [, double, , plain] = groups;
    if (plain !== undefined) return text;
    return double?.replace(/\\[^]/g, '').match(/[$`]/) ? '$' : '';
  });
  if (/['"]/.test(rest)) return 'has an unclosed quote';
  if (rest.includes('\\')) return 'ends in a backslash';
  const [sign] = /[|&;<>()$`*?[#~\n]/.exec(rest) ?? [];
  return sign === undefined
    ? undefined
    : `has ${sign === '\n' ? 'several lines' : `a ${sign} in it`}, which only a shell understands`;
}
