import { isFieldName, quotedUnknownField } from '../../core/quoted.js';

/** A range within one line. `line` and `col` count from 1; `length` is in UTF-16 units, at least 1. */
export interface Span {
  readonly line: number;
  readonly col: number;
  readonly length: number;
}

/** A value of a YAML document with its position. Aliases and merge keys are resolved. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

/** A mapping with string keys. */
export interface YamlMap {
  readonly kind: 'map';
  /** In file order; keys are unique. */
  readonly entries: readonly YamlEntry[];
  readonly span: Span;
}

export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}

export interface YamlList {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
  readonly span: Span;
}

export interface YamlScalar {
  readonly kind: 'scalar';
  /** Value in YAML 1.1, as read by Kubernetes and openshift-install: `yes` is true, `0644` is 420. */
  readonly value: string | number | boolean | null;
  /** Text as written, without quotes. For a string field, `4.20` stays `4.20`. */
  readonly text: string;
  /** First line of the value. */
  readonly span: Span;
  /** One span per line of a literal block scalar (`|`). */
  readonly lines?: readonly Span[];
}

/** Map keys and list indexes from the root. */
export type FieldPath = readonly (string | number)[];

/** Part of a field that a problem refers to: its value, its key, or one line (from 0) of a block scalar. */
export type Target = 'value' | 'key' | { readonly textLine: number };

/**
 * Position of a field. For a missing field, the position of the nearest existing parent:
 * the key of the map that should contain it, or the first character of the document.
 */
export function spanOf(root: YamlNode, path: FieldPath, target: Target = 'value'): Span {
  let span: Span = path.length === 0 ? root.span : { ...root.span, length: 1 };
  let node: YamlNode = root;
  for (const [depth, step] of path.entries()) {
    const found = stepInto(node, step);
    if (!found) return span;
    const isLast = depth === path.length - 1;
    node = found.value;
    span = isLast && target !== 'key' ? spanOfValue(found, target) : found.keySpan;
  }
  return span;
}

/** Undefined if the path does not exist. */
export function nodeAt(root: YamlNode, path: FieldPath): YamlNode | undefined {
  return path.reduce<YamlNode | undefined>((node, step) => node && stepInto(node, step)?.value, root);
}

/** The scalars of a tree with their paths, in file order. */
export function scalarsIn(node: YamlNode, path: FieldPath = []): readonly FoundScalar[] {
  switch (node.kind) {
    case 'scalar':
      return [{ path, scalar: node }];
    case 'list':
      return node.items.flatMap((item, index) => scalarsIn(item, [...path, index]));
    case 'map':
      return node.entries.flatMap(({ key, value }) => scalarsIn(value, [...path, key]));
  }
}

export interface FoundScalar {
  readonly path: FieldPath;
  readonly scalar: YamlScalar;
}

/** Path as shown in messages: `networking.machineNetwork[0].cidr`. */
export function pathText(path: FieldPath): string {
  return pathBelow('', path);
}

/** Appends a path to the text of its parent. */
export function pathBelow(field: string, path: FieldPath): string {
  return `${field}${path.map(stepText).join('')}`.replace(/^\./, '');
}

/** Converts to plain data: objects, arrays, strings, numbers, booleans, null. */
export function toData(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(toData);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toData(value)]));
  }
}

function stepInto(node: YamlNode, step: string | number): Omit<YamlEntry, 'key'> | undefined {
  if (node.kind === 'map') return node.entries.find((entry) => entry.key === step);
  if (node.kind === 'scalar' || typeof step === 'string') return undefined;
  const item = node.items[step];
  return item && { keySpan: item.span, value: item };
}

function spanOfValue({ keySpan, value }: Omit<YamlEntry, 'key'>, target: Exclude<Target, 'key'>): Span {
  if (value.kind !== 'scalar') return keySpan;
  if (value.text === '') return keySpan;
  return (target !== 'value' ? value.lines?.[target.textLine] : undefined) ?? value.span;
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[\w-]+$/.test(step) && isFieldName(step) ? `.${step}` : `[${quotedUnknownField(step)}]`;
}
