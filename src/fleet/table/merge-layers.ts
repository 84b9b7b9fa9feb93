import { problem, type Place, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { mergePatch } from '../../formats/yaml/merge-patch.js';
import {
  scalarText,
  type Traced,
  type TracedEntry,
  type TracedList,
  type TracedMap,
} from '../../formats/yaml/traced.js';

const mergeField = '$merge';
/** The field of a strategic merge patch. Source: kubernetes/apimachinery, strategicpatch, directiveMarker */
const patchField = '$patch';

/** Whether a text may have the fields of this module. */
export function hasMergeFields(text: string): boolean {
  return /\$(?:merge|patch)["']?\s*:/.test(text);
}

/**
 * Merges the document of a layer into the one below, as RFC 7396 does. A list whose first item is `$merge: KEY` is merged with the list
 * below: items with the same value of KEY are merged, `$patch: delete` removes an item, others are added at the end. Problems: fleet/merge.
 */
export function mergeLayers(base: Traced | undefined, patch: Traced, problems: Problem[]): Traced {
  const mergeList = (below: Traced | undefined, list: TracedList): Traced | undefined => {
    const [first, ...items] = list.items;
    const key = mergeKey(first);
    // `mergeFieldProblems` reports a list without one below.
    if (first === undefined || key === undefined || below?.kind !== 'list') return undefined;
    const fault = (each: Traced, message: string): void => {
      problems.push(mergeProblem(each.origin.at, message));
    };
    const known = keyed(below.items, key, (item, what) => {
      fault(first, `an item of the list below ${what} (${item.origin.at.file}:${item.origin.at.line ?? 1})`);
    });
    const own = keyed(items, key, (item, what) => {
      fault(item, `the item ${what}`);
    });
    const kept = [...known].flatMap(([name, item]) => {
      const above = own.get(name);
      if (above === undefined) return [item];
      return isDeleted(above) ? [] : [mergePatch(item, above, mergeList)];
    });
    const added = [...own].flatMap(([name, item]) => {
      if (known.has(name)) return [];
      if (!isDeleted(item)) return [item];
      fault(item, `no item of the list below has ${key} ${quoted(name)}, so none can be deleted`);
      return [];
    });
    return { kind: 'list', items: [...kept, ...added], origin: list.origin };
  };
  return mergePatch(base, patch, mergeList);
}

/** The value of `$merge`, if that is the only field. */
function mergeKey(item: Traced | undefined): string | undefined {
  const [field, second] = item?.kind === 'map' ? item.entries : [];
  if (field?.key !== mergeField || second !== undefined) return undefined;
  const key = scalarText(field.value);
  return key === '' ? undefined : key;
}

/** Items by the value of their key. Calls `onFault` for the others. */
function keyed(
  items: readonly Traced[],
  key: string,
  onFault: (item: Traced, what: string) => void,
): ReadonlyMap<string, TracedMap> {
  const found = new Map<string, TracedMap>();
  for (const item of items) {
    const field = item.kind === 'map' ? item.entries.find((each) => each.key === key) : undefined;
    const name = scalarText(field?.value);
    if (item.kind !== 'map' || name === undefined) onFault(item, `has no ${quoted(key)} to merge by`);
    else if (found.has(name)) onFault(item, `has the same ${key} as another: ${quoted(name)}`);
    else found.set(name, item);
  }
  return found;
}

function isDeleted({ entries }: TracedMap): boolean {
  return entries.some(({ key, value }) => key === patchField && scalarText(value) === 'delete');
}

/** Reports the fields of this module that remain in a merged document. Problems: fleet/merge. */
export function mergeFieldProblems(node: Traced): readonly Problem[] {
  switch (node.kind) {
    case 'scalar':
      return [];
    case 'map':
      return node.entries.flatMap(({ value }) => mergeFieldProblems(value));
    case 'list':
      return node.items.flatMap((item, index) => {
        const fields = item.kind === 'map' ? item.entries : [];
        return [
          ...fields.flatMap((entry) => fieldProblems(entry, { item, isFirst: index === 0 })),
          ...mergeFieldProblems(item),
        ];
      });
  }
}

function fieldProblems(
  { key, origin }: TracedEntry,
  { item, isFirst }: { readonly item: Traced; readonly isFirst: boolean },
): readonly Problem[] {
  if (key === patchField)
    return [
      mergeProblem(origin.at, '$patch is only for "$patch: delete" in a list that starts with "$merge: KEY"'),
    ];
  if (key !== mergeField) return [];
  const isForm = isFirst && mergeKey(item) !== undefined;
  const message = isForm
    ? 'no layer below has a list here to merge with'
    : '$merge must be the only field of the first item, and its value the name of a field';
  return [mergeProblem(origin.at, message)];
}

function mergeProblem(at: Place, message: string): Problem {
  const hint = 'remove $merge to replace the whole list, or correct the items';
  return problem('fleet/merge', message, { at, hint });
}
