import { quotedName } from '../../core/quoted.js';

/** A stretch of one line: `line` and `col` count from 1, `length` in characters (UTF-16 units) of that line, at least 1. */
export interface Span {
  readonly line: number;
  readonly col: number;
  readonly length: number;
}

/** A value of a YAML document with its place. Aliases stand as the value they name, merge keys are merged. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

/** A mapping; its keys are texts. */
export interface YamlMap {
  readonly kind: 'map';
  /** In the order of the file; each key once. */
  readonly entries: readonly YamlEntry[];
  readonly span: Span;
}

/** A key with its value. */
export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}

/** A sequence. */
export interface YamlList {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
  readonly span: Span;
}

/** A value that holds no others. */
export interface YamlScalar {
  readonly kind: 'scalar';
  /** What YAML 1.1 makes of it, which is what Kubernetes and openshift-install read: `yes` is true, `0644` is 420. */
  readonly value: string | number | boolean | null;
  /** The text as it was written, without quotes, so that `4.20` stays `4.20` where text is wanted. */
  readonly text: string;
  /** The first line of the value. */
  readonly span: Span;
  /** One span for each line of the text, where a block scalar (`|`) writes them one below the other. */
  readonly lines?: readonly Span[];
}

/** A field of a document: map keys and list positions from the root. */
export type FieldPath = readonly (string | number)[];

/** What a problem points at: the value of a field, its key, or one line (from 0) of a text written as a block. */
export type Target = 'value' | 'key' | { readonly textLine: number };

/**
 * Where a field stands. A field that is missing stands where the nearest thing around it stands:
 * the key of the map that should hold it, or the first character of the document.
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

/** The value at a path, if it is there. */
export function nodeAt(root: YamlNode, path: FieldPath): YamlNode | undefined {
  return path.reduce<YamlNode | undefined>((node, step) => node && stepInto(node, step)?.value, root);
}

/** The way a message writes a field: `networking.machineNetwork[0].cidr`. */
export function pathText(path: FieldPath): string {
  return pathBelow('', path);
}

/** The same of a path below a field that is written so already. */
export function pathBelow(field: string, path: FieldPath): string {
  return `${field}${path.map(stepText).join('')}`.replace(/^\./, '');
}

/** Plain data: objects, arrays, strings, numbers, booleans, null. */
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
  return /^[\w-]+$/.test(step) ? `.${step}` : `[${quotedName(step)}]`;
}
