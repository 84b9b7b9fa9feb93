import type { FieldPath, YamlNode } from '../../formats/yaml/yaml-tree.js';

/** A given value in an object. */
export interface FieldPlace {
  readonly node: YamlNode;
  readonly path: FieldPath;
}

/** The given values at a path such as `spec.rules[].http`; `[]` is each item of a list, `{}` each value of a map. */
export function placesAt(root: YamlNode, at: string): readonly FieldPlace[] {
  return (at === '' ? [] : at.split(/\.|(?=\[\]|\{\})/)).reduce<readonly FieldPlace[]>(
    (places, step) => places.flatMap((place) => below(place, step)),
    [{ node: root, path: [] }],
  );
}

function below({ node, path }: FieldPlace, step: string): readonly FieldPlace[] {
  if (step === '[]')
    return node.kind === 'list'
      ? node.items.map((item, index) => ({ node: item, path: [...path, index] }))
      : [];
  if (step === '{}')
    return node.kind === 'map'
      ? node.entries.map(({ key, value }) => ({ node: value, path: [...path, key] }))
      : [];
  const value = child(node, step);
  return value === undefined || isNull(value) ? [] : [{ node: value, path: [...path, step] }];
}

/** Places relative to another one, with their whole paths. */
export function placesBelow(place: FieldPlace, at: string): readonly FieldPlace[] {
  return placesAt(place.node, at).map(({ node, path }) => ({ node, path: [...place.path, ...path] }));
}

/** Present, and neither null, an empty text nor an empty list. */
export function isGiven(node: YamlNode | undefined): boolean {
  if (node === undefined || isNull(node)) return false;
  if (node.kind === 'scalar') return node.value !== '';
  return node.kind === 'map' || node.items.length > 0;
}

export function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

export function child(node: YamlNode | undefined, step: string): YamlNode | undefined {
  return node?.kind === 'map' ? node.entries.find(({ key }) => key === step)?.value : undefined;
}

export function textOf(node: YamlNode | undefined): string | undefined {
  return node?.kind === 'scalar' ? node.text : undefined;
}

export function numberOf(node: YamlNode | undefined): number | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
}
