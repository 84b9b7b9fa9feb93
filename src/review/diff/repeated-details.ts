import type { Detail, Difference } from './difference.js';

/** Where the contents of an item differ in the same way as those of others. */
interface Repeated {
  /** Index of the difference that shows it. */
  readonly shownAt: number;
  readonly others: Set<string>;
}

/**
 * Shows each differing text once. A text can occur in several items: a file also in a MachineConfig, a kubeconfig also as an output.
 * The first file, unit or output shows it, otherwise the first object, and names the others. A difference with no other detail is left
 * out.
 */
export function withoutRepetitions(differences: readonly Difference[]): readonly Difference[] {
  const repeated = repetitionsIn(differences);
  return differences.flatMap((difference, index): readonly Difference[] => {
    const details = difference.details.flatMap((detail): readonly Detail[] => {
      const found = repeated.get(keyOf(difference, detail) ?? '');
      if (found === undefined || found.others.size === 0) return [detail];
      if (found.shownAt === index) return [{ ...detail, also: [...found.others] }];
      const shown = differences[found.shownAt];
      return isOneSided(difference) && shown !== undefined
        ? [{ what: detail.what, sameAs: placeOf(shown, difference) }]
        : [];
    });
    const isRepeated = details.length === 0 && difference.details.length > 0;
    return isRepeated && difference.change === 'changed' ? [] : [{ ...difference, details }];
  });
}

function repetitionsIn(differences: readonly Difference[]): ReadonlyMap<string, Repeated> {
  const indexes = [...differences.keys()];
  const isObject = (index: number): boolean => differences[index]?.kind === 'object';
  const found = new Map<string, Repeated>();
  for (const index of [...indexes.filter((each) => !isObject(each)), ...indexes.filter(isObject)]) {
    const difference = differences[index];
    for (const detail of difference?.details ?? []) {
      const key = difference && keyOf(difference, detail);
      if (key === undefined || difference === undefined) continue;
      const first = found.get(key);
      const shown = first && differences[first.shownAt];
      if (first === undefined || shown === undefined)
        found.set(key, { shownAt: index, others: new Set<string>() });
      else if (first.shownAt !== index) first.others.add(placeOf(difference, shown));
    }
  }
  return found;
}

/** Equal for the same difference of a text of several lines or of a file. Undefined for others, such as a mode. */
function keyOf(difference: Difference, { what, before, after, hunks = [] }: Detail): string | undefined {
  const isTwoSided = before !== undefined && after !== undefined;
  const isOfText = hunks.length > 0 || (isTwoSided && contentsField.test(what));
  return isOfText && difference.kind !== 'certificate'
    ? JSON.stringify([isOneSided(difference), before, after, hunks])
    : undefined;
}

/** The contents of a file, also within a MachineConfig. Source: Ignition specification, storage.files */
const contentsField = /^contents$|\.contents\.source$/;

function isOneSided({ change }: Difference): boolean {
  return change === 'added' || change === 'removed';
}

/** Names an item; its configs only if they are others than those of the item that is named first. */
function placeOf({ kind, name, in: configs }: Difference, near: Difference): string {
  const named = configs.filter((each) => each !== '');
  return `${kind} ${name}${configs.join() === near.in.join() || named.length === 0 ? '' : ` in ${named.join(', ')}`}`;
}
