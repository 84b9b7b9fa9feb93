/**
 * The candidate closest to a mistyped word: the same word in another letter case, or one a few edits away
 * (a letter added, removed, replaced, or two swapped). Undefined if no candidate is close.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= allowed && distance < (best?.distance ?? Infinity)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** A hint for an unknown word: `did you mean …?` with the closest candidate, or `otherwise` if none is close. */
export function suggestionOr(word: string, candidates: Iterable<string>, otherwise: string): string {
  const suggestion = closest(word, candidates);
  return suggestion === undefined ? otherwise : `did you mean "${suggestion}"?`;
}

/** Optimal string alignment distance: Damerau–Levenshtein that edits no swapped pair twice. */
export function editDistance(left: string, right: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const choices = [
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        ...(isSwap && row > 1 && column > 1 ? [(beforeLast[column - 2] ?? 0) + 1] : []),
      ];
      current.push(Math.min(...choices));
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}
