import type { Place } from '../../core/problem.js';
import {
  pathText,
  type FieldPath,
  type Span,
  type YamlNode,
  type YamlScalar,
} from '../../formats/yaml/yaml-tree.js';
import type { Origin, Traced } from '../../formats/yaml/traced.js';
import { templateParts, cellToYaml, type SiteVariables, type TextPart } from '../../config/variables.js';
import { inQuotes } from '../../formats/yaml/yaml-scalars.js';

/** A placeholder that cannot be replaced. */
export type ExpandFault =
  | { readonly kind: 'unknown' | 'misplaced'; readonly name: string; readonly at: Place }
  | { readonly kind: 'empty'; readonly name: string; readonly at: Place; readonly cell: Place }
  | { readonly kind: 'malformed'; readonly at: Place };

/** A file with placeholders. */
export interface Template {
  /** File name for problems. */
  readonly file: string;
  readonly text: string;
  /** Placeholders are plain text. */
  readonly isRaw?: boolean;
}

/** A document with the variables of a site inserted. */
export interface ExpandedDocument {
  readonly root: Traced;
  readonly faults: readonly ExpandFault[];
}

/** A part of a document: the same for all sites (`same`), or created for each site (`made`). */
type Part = { readonly same: Traced } | { readonly made: (filling: Filling) => Traced };

interface Filling {
  readonly variables: SiteVariables;
  readonly faults: ExpandFault[];
}

interface Lines {
  readonly file: string;
  readonly lines: readonly string[];
  readonly isRaw: boolean;
}

/**
 * Replaces the placeholders of a document with the variables of a site. An unquoted placeholder that is the whole value takes the type
 * of the variable, such as a number or a map. In quotes or within a text, it is replaced by the variable's text.
 */
export function expandDocument(
  node: YamlNode,
  template: Template,
  variables: SiteVariables,
): ExpandedDocument {
  const faults: ExpandFault[] = [];
  return { root: filled(partsOfDocument(node, template), { variables, faults }), faults };
}

/** A text with the variables of a site inserted. */
export interface ExpandedText {
  readonly text: string;
  /** Place of the first variable's value. */
  readonly cell?: Place;
  readonly faults: readonly ExpandFault[];
}

/** Replaces the placeholders of a single text. */
export function expandText(text: string, at: Place, variables: SiteVariables): ExpandedText {
  const faults: ExpandFault[] = [];
  return { ...joinedParts(templateParts(text), { at }, { variables, faults }), faults };
}

const partsByDocument = new WeakMap<YamlNode, Part>();

/** Finds the placeholders of a document once and caches the result for all sites. Each document belongs to one template. */
function partsOfDocument(document: YamlNode, { file, text, isRaw = false }: Template): Part {
  const known = partsByDocument.get(document);
  if (known !== undefined) return known;
  const part = partOf(document, [], { file, lines: text.split(/\r?\n/), isRaw });
  partsByDocument.set(document, part);
  return part;
}

function filled(part: Part, filling: Filling): Traced {
  return 'same' in part ? part.same : part.made(filling);
}

function partOf(node: YamlNode, path: FieldPath, lines: Lines): Part {
  const origin = originAt(node.span, path, lines);
  switch (node.kind) {
    case 'scalar':
      return partOfScalar(node, origin, lines);
    case 'list': {
      const items = node.items.map((item, index) => partOf(item, [...path, index], lines));
      const list = (filling: Filling): Traced => ({
        kind: 'list',
        items: items.map((item) => filled(item, filling)),
        origin,
      });
      return items.every(isSame) ? { same: list(nothing) } : { made: list };
    }
    case 'map': {
      const entries = node.entries.map(({ key, keySpan, value }) => {
        const own = [...path, key];
        const isMalformed = !lines.isRaw && /(?<!\$)\$\{/.test(key);
        return { key, isMalformed, origin: originAt(keySpan, own, lines), part: partOf(value, own, lines) };
      });
      const map = (filling: Filling): Traced => ({
        kind: 'map',
        entries: entries.map(({ key, isMalformed, origin: ofKey, part }) => {
          if (isMalformed) filling.faults.push({ kind: 'malformed', at: ofKey.at });
          return { key, origin: ofKey, value: filled(part, filling) };
        }),
        origin,
      });
      const areSame = entries.every(({ isMalformed, part }) => !isMalformed && isSame(part));
      return areSame ? { same: map(nothing) } : { made: map };
    }
  }
}

function isSame(part: Part): boolean {
  return 'same' in part;
}

/** For documents without placeholders. */
const nothing: Filling = { variables: { known: new Map(), empty: new Map() }, faults: [] };

function partOfScalar(node: YamlScalar, origin: Origin, lines: Lines): Part {
  if (typeof node.value !== 'string') return { same: { kind: 'scalar', yaml: plain(node), origin } };
  if (lines.isRaw || !node.text.includes('${'))
    return { same: { kind: 'scalar', yaml: inQuotes(node.text), origin } };
  const parts = templateParts(node.text);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'variable' && !isQuoted(node.span, lines))
    return { made: (filling) => whole(only, origin, filling) };
  return {
    made: (filling) => {
      const { text, cell } = joinedParts(parts, origin, filling);
      return { kind: 'scalar', yaml: inQuotes(text), origin: { ...origin, ...(cell && { cell }) } };
    },
  };
}

function joinedParts(
  parts: readonly TextPart[],
  origin: Origin,
  filling: Filling,
): Pick<ExpandedText, 'text' | 'cell'> {
  const pieces = parts.map((part) => piece(part, origin, filling));
  const cell = pieces.find((each) => each.cell !== undefined)?.cell;
  return { text: pieces.map((each) => each.text).join(''), ...(cell && { cell }) };
}

type VariablePart = Extract<TextPart, { readonly kind: 'variable' }>;

function whole(part: VariablePart, origin: Origin, filling: Filling): Traced {
  const variable = filling.variables.known.get(part.name);
  if (variable !== undefined) return copyOf(variable.value, { ...origin, cell: variable.at });
  if (part.fallback !== undefined) return { kind: 'scalar', yaml: cellToYaml(part.fallback), origin };
  filling.faults.push(lackOf(part.name, origin.at, filling));
  return { kind: 'scalar', yaml: inQuotes(unreplaced(part.name)), origin };
}

function piece(
  part: TextPart,
  { at }: Origin,
  filling: Filling,
): { readonly text: string; readonly cell?: Place } {
  if (part.kind === 'text') return { text: part.text };
  const { variables, faults } = filling;
  if (part.kind === 'fault') {
    faults.push({ kind: 'malformed', at });
    return { text: part.written };
  }
  const variable = variables.known.get(part.name);
  if (variable?.value.kind === 'scalar') return { text: variable.value.text, cell: variable.at };
  if (variable !== undefined) faults.push({ kind: 'misplaced', name: part.name, at });
  else if (part.fallback === undefined) faults.push(lackOf(part.name, at, filling));
  return { text: part.fallback ?? unreplaced(part.name) };
}

/** Keeps the field, so that checks report no missing value in other lines. */
function unreplaced(name: string): string {
  return `\${${name}}`;
}

function lackOf(name: string, at: Place, { variables }: Filling): ExpandFault {
  const cell = variables.empty.get(name);
  return cell === undefined ? { kind: 'unknown', name, at } : { kind: 'empty', name, at, cell };
}

/** Copies the value of a variable; the whole copy gets the place of the placeholder as its origin. */
function copyOf(node: YamlNode, origin: Origin): Traced {
  switch (node.kind) {
    case 'scalar':
      return {
        kind: 'scalar',
        yaml: typeof node.value === 'string' ? inQuotes(node.text) : plain(node),
        origin,
      };
    case 'list':
      return { kind: 'list', items: node.items.map((item) => copyOf(item, origin)), origin };
    case 'map':
      return {
        kind: 'map',
        entries: node.entries.map(({ key, value }) => ({ key, origin, value: copyOf(value, origin) })),
        origin,
      };
  }
}

/** Keeps the spelling of numbers, so that `4.20` is not shortened to 4.2. */
function plain({ value, text }: YamlScalar): string {
  return value === null ? 'null' : text;
}

function originAt(span: Span, path: FieldPath, { file }: Lines): Origin {
  return { at: { file, path: pathText(path), ...span } };
}

function isQuoted({ line, col }: Span, { lines }: Lines): boolean {
  return ['"', "'"].includes(lines[line - 1]?.charAt(col - 1) ?? '');
}
