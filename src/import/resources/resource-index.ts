import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import { itemsAt, textAt, type Resource } from './resources.js';

const generatorFields = ['configMapGenerator', 'secretGenerator'] as const;

/** An entry of `configMapGenerator` or `secretGenerator` in a kustomization. */
export interface FoundGenerator {
  readonly field: (typeof generatorFields)[number];
  readonly index: number;
  /** Namespace of the generated object. */
  readonly namespace: string;
  readonly node: () => YamlNode | undefined;
  readonly kustomization: Resource;
}

interface ResourceIndex {
  readonly objects: ReadonlyMap<string, readonly Resource[]>;
  readonly generators: ReadonlyMap<string, readonly FoundGenerator[]>;
}

/** One index per resource list: thousands of sites search the same list. */
const indexes = new WeakMap<readonly Resource[], ResourceIndex>();

/** Returns the objects of a kind and name, in the order of `resources`. */
export function resourcesNamed(
  resources: readonly Resource[],
  kind: string,
  name: string,
): readonly Resource[] {
  return indexOf(resources).objects.get(keyOf(kind, name)) ?? [];
}

/** Returns the generators of ConfigMaps or Secrets with this name, in the order of `resources`. */
export function generatorsNamed(
  resources: readonly Resource[],
  field: FoundGenerator['field'],
  name: string,
): readonly FoundGenerator[] {
  return indexOf(resources).generators.get(keyOf(field, name)) ?? [];
}

function indexOf(resources: readonly Resource[]): ResourceIndex {
  const known = indexes.get(resources);
  if (known !== undefined) return known;
  const index: ResourceIndex = {
    objects: grouped(resources, ({ kind, name }) => keyOf(kind, name)),
    generators: grouped(resources.flatMap(generatorsIn), ({ key }) => key),
  };
  indexes.set(resources, index);
  return index;
}

/** Adds the index key of each generator. */
function generatorsIn(kustomization: Resource): readonly (FoundGenerator & { readonly key: string })[] {
  if (kustomization.kind !== 'Kustomization') return [];
  const root = kustomization.root();
  const ofAll = textAt(root, ['namespace']) ?? '';
  return generatorFields.flatMap((field) =>
    itemsAt(root, [field]).map((node, index) => ({
      key: keyOf(field, textAt(node, ['name'])),
      field,
      index,
      namespace: textAt(node, ['namespace']) ?? ofAll,
      node: () => itemsAt(kustomization.root(), [field])[index],
      kustomization,
    })),
  );
}

function keyOf(kind: string, name: string | undefined): string {
  return JSON.stringify([kind, name]);
}

function grouped<T>(items: readonly T[], keyFor: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyFor(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
