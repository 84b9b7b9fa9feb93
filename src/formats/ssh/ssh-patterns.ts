/**
 * Whether a text matches a list of patterns, parted by commas: `*` is any text, `?` any character, and what matches a pattern behind `!`
 * does not match the list. Source: ssh_config(5), PATTERNS
 */
export function matchesPatterns(text: string, patterns: string): boolean {
  const all = patterns.split(',');
  const isRefused = all.some((each) => each.startsWith('!') && matches(text, each.slice(1)));
  return !isRefused && all.some((each) => !each.startsWith('!') && matches(text, each));
}

/** Takes time in proportion to the product of both: it goes back to the last `*` alone. */
function matches(text: string, pattern: string): boolean {
  let [at, inPattern] = [0, 0];
  let back: { readonly at: number; readonly inPattern: number } | undefined;
  while (at < text.length) {
    const sign = pattern[inPattern];
    if (sign === '*') {
      back = { at, inPattern };
      inPattern += 1;
    } else if (sign === '?' || sign === text[at]) {
      [at, inPattern] = [at + 1, inPattern + 1];
    } else if (back === undefined) {
      return false;
    } else {
      back = { ...back, at: back.at + 1 };
      [at, inPattern] = [back.at, back.inPattern + 1];
    }
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
