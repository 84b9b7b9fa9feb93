import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';

import { quotedUnknownField } from '../../core/quoted.js';
import { lineIndex, type LineIndex } from './line-index.js';
import { compose, maxDepth } from './yaml-compose.js';
import {
  ambiguousKey,
  duplicateKey,
  fillInBraces,
  firstOfEachLine,
  keyIsNoText,
  loneSurrogate,
  mergeOfNoMap,
  isOfWholeText,
  pastedDiff,
  tagFault,
  syntaxFaults,
  tooDeep,
  tooHeavy,
  unknownAlias,
  wrongTag,
  type Fault,
  type YamlError,
  type YamlFault,
} from './yaml-faults.js';
import { findRepair, strayMarker, type ErrorOffsets } from './yaml-repairs.js';
import { hasLoneSurrogate, scalarValue } from './yaml-scalars.js';
import {
  spanOf,
  type FieldPath,
  type Span,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from './yaml-tree.js';

/** Whether a file name ends like YAML or JSON. Source of the extensions: openshift/installer pkg/asset/manifests */
export function isYamlName(name: string): boolean {
  return /\.(?:ya?ml|json)$/.test(name);
}

/** Documents and faults of a text. */
export interface YamlReading {
  /** Empty if the text contains none, or a fault makes them unusable. */
  readonly documents: readonly YamlNode[];
  /** In text order. */
  readonly faults: readonly YamlFault[];
}

interface YamlOptions {
  readonly maxTokens?: number;
  /** Line number of the text's first line in its file. */
  readonly firstLine?: number;
  /** Reads keys such as `y` and `0x10` as their text instead of rejecting them. Only for comparisons. */
  readonly readsAmbiguousKeys?: boolean;
}

/**
 * Parses every document of a YAML (or JSON) text with the position of each value, as YAML 1.1 like Kubernetes.
 * Never throws. Time and memory are at most proportional to `maxTokens`, for any text.
 */
export function readYaml(
  text: string,
  { maxTokens = 500_000, firstLine = 1, readsAmbiguousKeys = false }: YamlOptions = {},
): YamlReading {
  const lines = lineIndex(text, firstLine);
  const composed = compose(text, maxTokens);
  if ('fault' in composed) {
    const span = lines.span(composed.offset, composed.offset + 1);
    return { documents: [], faults: [{ ...composed.fault, span }] };
  }
  const errors = composed.documents.flatMap((document) => document.errors);
  if (errors.length > 0)
    return { documents: [], faults: syntaxFaultsOf(text, { errors, lines, maxTokens, firstLine }) };
  const faults: YamlFault[] = [];
  const roots = composed.documents.map(({ contents }) => {
    const start = contents?.range[0] ?? 0;
    const building = { lines, faults, readsAmbiguousKeys, anchors: new Map<string, Built>() };
    return build(contents, building, { depth: 0, fallback: lines.span(start, start) }).node;
  });
  const isUsable = faults.every(({ kind }) => kind === 'duplicate-key');
  return { documents: isUsable ? roots : [], faults: firstOfEachLine(faults, 50) };
}

interface SyntaxErrors {
  readonly errors: readonly YamlError[];
  readonly lines: LineIndex;
  readonly maxTokens: number;
  readonly firstLine: number;
}

/** The lines that cause the errors, each once. If no changed line removes them, the first error, because others usually follow from it. */
function syntaxFaultsOf(
  text: string,
  { errors, lines, maxTokens, firstLine }: SyntaxErrors,
): readonly YamlFault[] {
  const given = syntaxFaults(errors, text, lines);
  if (given.some(isOfWholeText)) return firstOfEachLine(given, maxSyntaxFaults);
  const found = repairedFaults(text, { errors, maxTokens, firstLine });
  return found.length === 0 ? firstOfEachLine(given, 1) : firstOfEachLine(found, maxSyntaxFaults);
}

/** The faults of the lines whose change removes one error after the other. */
function repairedFaults(
  text: string,
  { errors, maxTokens, firstLine }: Omit<SyntaxErrors, 'lines'>,
): readonly YamlFault[] {
  const found: YamlFault[] = [];
  // Within one top-level field, further wrong indentations usually follow from the first.
  const indented = new Set<number>();
  const errorsIn: ErrorOffsets = (changed) => errorsOf(changed, maxTokens).map(({ pos }) => pos[0]);
  // A file with that many errors is no YAML, and reading it again takes long.
  const rounds = errors.length > 100 ? 1 : maxSyntaxFaults;
  let [current, left, last] = [text, errors, 0];
  for (let round = 0; left.length > 0 && round < rounds; round += 1) {
    const [first] = left.toSorted((one, other) => one.pos[0] - other.pos[0]);
    const repair =
      first && (strayMarker(current, first.pos[0], errorsIn) ?? findRepair(current, first.pos, errorsIn));
    // A repair above the last one would undo it.
    if (repair === undefined || repair.from < last) break;
    const span = lineIndex(current, firstLine).span(repair.from, repair.to);
    const field = topLevelFields(text, span.line - firstLine);
    if (!repair.isIndentation || !indented.has(field)) found.push({ ...repair.fault, span });
    if (repair.isIndentation) indented.add(field);
    [current, left, last] = [repair.text, errorsOf(repair.text, maxTokens), repair.from];
  }
  return found;
}

const maxSyntaxFaults = 5;

/** Number of top-level fields before a line (from 0). */
function topLevelFields(text: string, line: number): number {
  return text.split('\n', line).filter((each) => /^[\w'"]/.test(each)).length;
}

/** The errors of a changed text; one at its start if it cannot be composed. */
function errorsOf(text: string, maxTokens: number): readonly YamlError[] {
  const composed = compose(text, maxTokens);
  return 'fault' in composed
    ? [{ pos: [0, 1], code: 'UNEXPECTED_TOKEN', message: '' }]
    : composed.documents.flatMap(({ errors }) => errors);
}

/** Line and column, both from 1; columns in UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  readonly col: number;
}

/**
 * Locates fields in a JSON text with the YAML parser, which runs at the first lookup. A missing field has the position of its nearest
 * existing parent. Undefined if the YAML parser rejects the text, for example for more than 64 levels.
 */
export function jsonPlaces(
  text: string,
): (path: FieldPath, target?: 'key' | 'value') => TextPlace | undefined {
  let documents: readonly YamlNode[] | undefined;
  return (path, target) => {
    documents ??= readYaml(text).documents;
    const [root] = documents;
    if (root === undefined) return undefined;
    const { line, col } = spanOf(root, path, target);
    return { line, col };
  };
}

/** State while building the tree of one document. */
interface Building {
  readonly lines: LineIndex;
  readonly faults: YamlFault[];
  readonly readsAmbiguousKeys: boolean;
  readonly anchors: Map<string, Built>;
}

interface Built {
  readonly node: YamlNode;
  /** Number of values with all aliases expanded. */
  readonly weight: number;
}

interface Position {
  readonly depth: number;
  /** Position for a value without text, such as the null of `key:`. */
  readonly fallback: Span;
}

/** Limit for the values of one document with aliases expanded. A YAML bomb has billions. */
const maxWeight = 200_000;

function build(node: Node | null, building: Building, position: Position): Built {
  const span = spanOfNode(node, building, position);
  if (position.depth > maxDepth) return refuse(building, tooDeep, span);
  if (isAlias(node)) return building.anchors.get(node.source) ?? refuse(building, unknownAlias, span);
  if (node?.tag !== undefined && !plainTags.has(node.tag)) return refuse(building, tagFault, span);
  if (node?.tag !== undefined && !fitsTag(node, node.tag)) return refuse(building, wrongTag, span);
  const whole = buildValue(node, building, { depth: position.depth, fallback: span });
  const built = whole.weight > maxWeight ? refuse(building, tooHeavy, span) : whole;
  if (node?.anchor !== undefined) building.anchors.set(node.anchor, built);
  return built;
}

function spanOfNode(node: Node | null, { lines }: Building, { fallback }: Position): Span {
  const range = node?.range;
  return range && range[1] > range[0] ? lines.span(range[0], range[1]) : fallback;
}

/** Reports a fault and returns a placeholder for the node. */
function refuse(building: Building, fault: Fault, span: Span): Built {
  building.faults.push({ ...fault, span });
  return { node: { kind: 'scalar', value: null, text: '', span }, weight: 1 };
}

function buildValue(node: Node | null, building: Building, position: Position): Built {
  const span = position.fallback;
  if (isMap(node)) return buildMap(node, building, position);
  if (isSeq(node)) {
    const below = { depth: position.depth + 1, fallback: span };
    const items = node.items.map((item) => build(item as Node, building, below));
    const weight = items.reduce((sum, item) => sum + item.weight, 1);
    return { node: { kind: 'list', items: items.map((item) => item.node), span }, weight };
  }
  const scalar: YamlScalar = { kind: 'scalar', value: null, text: '', span };
  return { node: isScalar(node) ? buildScalar(node, building, span) : scalar, weight: 1 };
}

function buildMap(map: YAMLMap, building: Building, position: Position): Built {
  const entries = new Map<string, YamlEntry>();
  const merged: YamlEntry[] = [];
  let mergedAt: Span | undefined;
  let weight = 1;
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const keySpan = spanOfNode(pair.key, building, position);
    const built = build(pair.value, building, { depth: position.depth + 1, fallback: keySpan });
    weight += built.weight;
    if (weight > maxWeight) break;
    const fault = isDiffLine(pair.key, keySpan, position) ? pastedDiff : keyFault(pair.key, building);
    // Each line of a diff is one.
    if (fault === pastedDiff && building.faults.some(({ message }) => message === fault.message)) continue;
    if (fault !== undefined || !isScalar(pair.key)) {
      refuse(building, fault ?? keyIsNoText, keySpan);
    } else if (isMergeKey(pair.key)) {
      if (mergedAt !== undefined) refuse(building, duplicateKey('"<<"', mergedAt), keySpan);
      mergedAt ??= keySpan;
      merged.push(...mergedEntries(built.node, building));
    } else {
      const key = textOf(pair.key);
      const earlier = entries.get(key);
      if (earlier !== undefined)
        refuse(building, duplicateKey(quotedUnknownField(key), earlier.keySpan), keySpan);
      // A repeated line without a value has its fields only below the second one.
      if (earlier === undefined || isNullNode(earlier.value))
        entries.set(key, { key, keySpan: earlier?.keySpan ?? keySpan, value: built.node });
    }
  }
  // Keys of the map take precedence over merged ones, and earlier merged ones over later ones (yaml.org/type/merge.html).
  for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
  return { node: { kind: 'map', entries: [...entries.values()], span: position.fallback }, weight };
}

function isNullNode(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** Whether a key of the document starts with "+" or "-" in the first column. */
function isDiffLine(key: Node | null, { col }: Span, { depth }: Position): boolean {
  return depth === 0 && col === 1 && isScalar(key) && key.type === 'PLAIN' && /^[+-]/.test(textOf(key));
}

function keyFault(
  key: Node | null,
  { readsAmbiguousKeys }: Pick<Building, 'readsAmbiguousKeys'>,
): Fault | undefined {
  // YAML parses template syntax such as {{ name }} as nested maps.
  if (isMap(key)) return { ...keyIsNoText, hint: fillInBraces };
  if (!isScalar(key)) return keyIsNoText;
  if (hasLoneSurrogate(textOf(key))) return loneSurrogate;
  if (key.tag !== undefined && key.tag !== textTag) return tagFault;
  return !readsAmbiguousKeys && !isMergeKey(key) && isAmbiguous(key) ? ambiguousKey : undefined;
}

/** Whether programs disagree on the text of a key. */
function isAmbiguous(key: Scalar): boolean {
  const value = scalarValue(key);
  if (key.type !== 'PLAIN' || typeof value === 'string') return false;
  return !((typeof value === 'number' || typeof value === 'boolean') && String(value) === key.source);
}

function isMergeKey(key: Scalar): boolean {
  return key.type === 'PLAIN' && key.source === '<<';
}

/** Entries that `<<` merges from a map or a list of maps. */
function mergedEntries(node: YamlNode, building: Building): readonly YamlEntry[] {
  const maps = node.kind === 'list' ? node.items : [node];
  return maps.flatMap((each) => {
    if (each.kind === 'map') return each.entries;
    refuse(building, mergeOfNoMap, each.span);
    return [];
  });
}

function buildScalar(node: Scalar, building: Building, span: Span): YamlScalar {
  const text = textOf(node);
  if (hasLoneSurrogate(text)) refuse(building, loneSurrogate, span);
  const value = scalarValue(node);
  const isPlainData = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  const scalar = {
    kind: 'scalar' as const,
    value: isPlainData ? (value as YamlScalar['value']) : text,
    text,
    span,
  };
  return node.type === 'BLOCK_LITERAL' ? { ...scalar, lines: linesOfBlock(text, building, span) } : scalar;
}

/** The text without quotes, escapes replaced, lines folded. */
function textOf(scalar: Scalar): string {
  return scalar.source ?? '';
}

/** Positions of the lines of a `|` block, which start below its header. */
function linesOfBlock(text: string, { lines }: Building, header: Span): readonly Span[] {
  return text.split('\n').map((content, index) => {
    const line = header.line + 1 + index;
    const col = Math.max(0, lines.line(line)?.indexOf(content) ?? 0) + 1;
    return { line, col, length: Math.max(1, content.length) };
  });
}

/** Short name of a tag: `str` (YAML 1.2.2 §10.2). */
function tagOf(name: string): string {
  return `tag:yaml.org,2002:${name}`;
}

const textTag = tagOf('str');

/** Tags of value types that exist in JSON. */
const plainTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(tagOf),
);

/** Whether a value has the type of its tag, ignoring the tag. */
function fitsTag(node: Node, tag: string): boolean {
  if (isMap(node)) return tag === tagOf('map');
  if (isSeq(node)) return tag === tagOf('seq');
  if (!isScalar(node) || tag === textTag) return isScalar(node);
  if (node.type !== 'PLAIN') return false;
  if (node.value === null) return tag === tagOf('null');
  if (typeof node.value === 'boolean') return tag === tagOf('bool');
  return typeof node.value === 'number' && (tag === tagOf('int') || tag === tagOf('float'));
}
