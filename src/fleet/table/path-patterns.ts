/**
 * Returns the function that tells whether a path matches one of the patterns. `*` matches within a name and `**` any folders, as in
 * .gitignore; a folder matches all files below it.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const found = patterns.map(patternRegExp);
  return (path) => found.some((each) => each.test(path));
}

function patternRegExp(pattern: string): RegExp {
  const parts = pattern
    .replace(/^\.\//, '')
    .replace(/\/+$/, '')
    .split(/(\*\*\/|\*\*|\*)/);
  const source = parts.map((part) => wildcards[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('')}(?:/|$)`);
}

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' };
