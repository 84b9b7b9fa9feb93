import { byCodeUnit } from '../../core/compare.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import type { Difference } from './difference.js';
import type { Item } from './item.js';
import { disjointPairs, leastSimilarity } from './renames.js';

/** The items of both sides, those of a renamed config under its later path, and the renames. */
export interface AlignedItems {
  readonly before: readonly Item[];
  readonly after: readonly Item[];
  readonly renames: readonly Difference[];
}

/** Pairs configs that exist on one side only and have mostly equal items, such as those of a renamed site. The least share is that of lines. */
export function alignConfigs(before: readonly Item[], after: readonly Item[]): AlignedItems {
  const [earlier, later] = [configsIn(before), configsIn(after)];
  const removed = itemsByConfig(before, onlyIn(earlier, later));
  const added = itemsByConfig(after, onlyIn(later, earlier));
  const candidates = [...removed]
    .flatMap(([name, items]) =>
      [...added].map(([after, others]) => ({
        ...{ before: name, after },
        similarity: similarityOf(items, others),
      })),
    )
    .filter(({ similarity }) => similarity >= leastSimilarity)
    .toSorted(
      (left, right) =>
        right.similarity - left.similarity ||
        byCodeUnit(left.before, right.before) ||
        byCodeUnit(left.after, right.after),
    );
  const names = disjointPairs(candidates);
  return {
    before: before.map((item) => withNames(item, names)),
    after,
    renames: [...names].map(([from, to]) => ({
      in: [''],
      kind: 'output',
      name: to,
      from,
      change: 'renamed',
      details: [],
    })),
  };
}

function withNames(item: Item, names: ReadonlyMap<string, string>): Item {
  const name = names.get(item.of);
  return name === undefined ? item : { ...item, of: name };
}

function configsIn(items: readonly Item[]): ReadonlySet<string> {
  return new Set(items.flatMap(({ of, kind }) => (kind === 'config' ? [of] : [])));
}

function onlyIn(names: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...names].filter((name) => !others.has(name));
}

/** The items of each of the configs, as texts. */
function itemsByConfig(
  items: readonly Item[],
  configs: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    configs.map((config) => [config, new Set(items.filter(({ of }) => of === config).map(textOfItem))]),
  );
}

function textOfItem({ kind, name, text, value, template }: Item): string {
  const contents = text ?? template ?? (value === undefined ? '' : writeYaml(value));
  return JSON.stringify([kind, name, contents]);
}

function similarityOf(items: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = [...items].filter((item) => others.has(item)).length;
  return shared / Math.max(items.size, others.size);
}
