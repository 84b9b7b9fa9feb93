import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';

import { compose } from './yaml-compose.js';
import { fillInBraces } from './left-open.js';
import { lineIndex, type LineIndex } from './line-index.js';
import {
  addEntry,
  halfCharacter,
  linesOf,
  maxDepth,
  maxWeight,
  mergedEntries,
  oddKey,
  oddTag,
  plainTags,
  refuse,
  strangeTag,
  textTag,
  tooDeep,
  tooHeavy,
  twice,
  unknownAlias,
  type Building,
  type Built,
} from './yaml-building.js';
import { firstUnwritable, hasHalfCharacter } from './yaml-escapes.js';
import {
  explicitKey,
  firstOfEachLine,
  openQuote,
  syntaxFaults,
  unwritable,
  type YamlFault,
} from './yaml-faults.js';
import { scalarValue } from './plain-scalar.js';
import { isFitting } from './yaml-tags.js';
import { spanOfNode, type Position } from './yaml-spans.js';
import type { Span, YamlEntry, YamlNode, YamlScalar } from './yaml-tree.js';

/** The documents of a text, and what is wrong with it. */
export interface YamlReading {
  /** Empty when the text holds none, or when a fault makes them unusable. */
  readonly documents: readonly YamlNode[];
  /** In the order of the text. */
  readonly faults: readonly YamlFault[];
}

interface YamlOptions {
  readonly maxTokens?: number;
  /** The line of its file at which the text starts. */
  readonly firstLine?: number;
}

/**
 * Reads every document of a YAML (or JSON) text with the place of each value, as YAML 1.1 like Kubernetes does.
 * Never throws; takes time and memory in proportion to `maxTokens` at most, whatever the text.
 */
export function readYaml(
  text: string,
  { maxTokens = 500_000, firstLine = 1 }: YamlOptions = {},
): YamlReading {
  const lines = lineIndex(text, firstLine);
  const unwritableAt = firstUnwritable(text);
  if (unwritableAt !== undefined) {
    return { documents: [], faults: [{ ...unwritable, span: lines.span(unwritableAt, unwritableAt + 1) }] };
  }
  const composed = compose(text, maxTokens);
  if (composed.kind === 'too-large') {
    const message = `the YAML has more than ${maxTokens} parts`;
    return {
      documents: [],
      faults: [{ kind: 'size', message, span: lines.span(composed.offset, composed.offset) }],
    };
  }
  if (composed.kind === 'too-deep') {
    const span = lines.span(composed.offset, composed.offset + 1);
    return { documents: [], faults: [{ ...tooDeep, span }] };
  }
  if (composed.kind === 'explicit-key') {
    const span = lines.span(composed.offset, composed.offset + 1);
    return { documents: [], faults: [{ ...explicitKey, span }] };
  }
  if (composed.openQuote !== undefined) {
    return { documents: [], faults: [openQuote(lines.span(composed.openQuote, composed.openQuote + 1))] };
  }
  const syntax = composed.documents.flatMap(({ errors }) => syntaxFaults(errors, text, lines));
  if (syntax.length > 0) return { documents: [], faults: firstOfEachLine(syntax, 5) };
  const builders = composed.documents.map((document) => buildDocument(document.contents, lines));
  const faults = builders.flatMap((built) => built.faults);
  const isUsable = faults.every(({ kind }) => kind === 'duplicate-key');
  return { documents: isUsable ? builders.map(({ root }) => root) : [], faults: firstOfEachLine(faults, 50) };
}

function buildDocument(
  contents: Node | null,
  lines: LineIndex,
): { root: YamlNode; faults: readonly YamlFault[] } {
  const building: Building = { lines, faults: [], anchors: new Map() };
  const start = contents?.range?.[0] ?? 0;
  const { node } = build(contents, building, { depth: 0, fallback: lines.span(start, start) });
  return { root: node, faults: building.faults };
}

function build(node: Node | null, building: Building, position: Position): Built {
  const span = spanOfNode(node, building, position);
  if (position.depth > maxDepth) return refuse(building, tooDeep, span);
  if (isAlias(node)) return building.anchors.get(node.source) ?? refuse(building, unknownAlias, span);
  if (node?.tag !== undefined && !plainTags.has(node.tag)) return refuse(building, strangeTag, span);
  if (node?.tag !== undefined && !isFitting(node, node.tag)) return refuse(building, oddTag, span);
  const whole = buildValue(node, building, { depth: position.depth, fallback: span });
  const built = whole.weight > maxWeight ? refuse(building, tooHeavy, span) : whole;
  if (node?.anchor !== undefined) building.anchors.set(node.anchor, built);
  return built;
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
    if (!isScalar(pair.key)) {
      refuse(building, keyFault(pair.key), keySpan);
    } else if (hasHalfCharacter(textOf(pair.key))) {
      refuse(building, halfCharacter, keySpan);
    } else if (pair.key.tag !== undefined && pair.key.tag !== textTag) {
      refuse(building, strangeTag, keySpan);
    } else if (isMergeKey(pair.key)) {
      if (mergedAt !== undefined) refuse(building, twice('"<<"', mergedAt), keySpan);
      mergedAt ??= keySpan;
      merged.push(...mergedEntries(built.node, building));
    } else if (isOdd(pair.key)) {
      refuse(building, oddKey, keySpan);
    } else {
      addEntry(entries, { key: textOf(pair.key), keySpan, value: built.node }, building);
    }
  }
  // A key of the map's own wins over a merged one, and an earlier merged one over a later (yaml.org/type/merge.html).
  for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
  return { node: { kind: 'map', entries: [...entries.values()], span: position.fallback }, weight };
}

/** Braces within braces are no YAML that people write, but what template engines look for. */
function keyFault(key: Node | null): Omit<YamlFault, 'span'> {
  const message = 'a key must be a text';
  return {
    kind: 'syntax',
    message,
    ...(isMap(key) && { hint: fillInBraces }),
  };
}

/** Whether programs that read it make another text of a key, or none. */
function isOdd(key: Scalar): boolean {
  const value = scalarValue(key);
  if (key.type !== 'PLAIN' || typeof value === 'string') return false;
  return !((typeof value === 'number' || typeof value === 'boolean') && String(value) === key.source);
}

function isMergeKey(key: Scalar): boolean {
  return key.type === 'PLAIN' && key.source === '<<';
}

function buildScalar(node: Scalar, building: Building, span: Span): YamlScalar {
  const text = textOf(node);
  if (hasHalfCharacter(text)) refuse(building, halfCharacter, span);
  const value = scalarValue(node);
  const isPlainData = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  const scalar = {
    kind: 'scalar' as const,
    value: isPlainData ? (value as YamlScalar['value']) : text,
    text,
    span,
  };
  return node.type === 'BLOCK_LITERAL' ? { ...scalar, lines: linesOf(text, building, span) } : scalar;
}

/** The resolved text: without quotes, escapes replaced, lines folded. */
function textOf(scalar: Scalar): string {
  return scalar.source ?? '';
}
