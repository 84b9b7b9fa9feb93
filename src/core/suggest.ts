/**
 * The candidate that a mistyped word most likely means: the same word in another letter case, or one that few
 * keystrokes away (a letter more, less, other, or two swapped); undefined when none comes near.
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

/** The hint of a word that is none of the candidates: the one that it most likely means, or something else where none comes near. */
export function meantOr(word: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = closest(word, candidates);
  return meant === undefined ? otherwise : `did you mean "${meant}"?`;
}

/** Optimal string alignment distance (Damerau–Levenshtein without editing a swapped pair again). */
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
