import type { Place } from '../core/problem.js';
import {
  pathText,
  type FieldPath,
  type Span,
  type YamlNode,
  type YamlScalar,
} from '../formats/yaml/yaml-tree.js';
import type { Origin, Traced } from './traced.js';
import { partsOf, scalarOf, type SiteVariables, type TextPart } from './variables.js';
import { inQuotes } from '../formats/yaml/yaml-escapes.js';

/** A placeholder that nothing can be put into. */
export type ExpandFault =
  | { readonly kind: 'unknown' | 'misplaced'; readonly name: string; readonly at: Place }
  | { readonly kind: 'empty'; readonly name: string; readonly at: Place; readonly cell: Place }
  | { readonly kind: 'malformed'; readonly at: Place };

/** A file with placeholders. */
export interface Template {
  /** As problems name it. */
  readonly file: string;
  readonly text: string;
}

/** A document of a template with the variables of a site put in. */
export interface Expanded {
  readonly root: Traced;
  readonly faults: readonly ExpandFault[];
}

interface Expanding {
  readonly file: string;
  readonly lines: readonly string[];
  readonly variables: SiteVariables;
  readonly faults: ExpandFault[];
}

/**
 * Puts the variables of a site into a document. A placeholder that is a whole value takes what its variable is, a number or a map too;
 * in quotes, and within a text, it takes the text of it.
 */
export function expand(node: YamlNode, { file, text }: Template, variables: SiteVariables): Expanded {
  const faults: ExpandFault[] = [];
  return { root: expanded(node, [], { file, lines: text.split(/\r?\n/), variables, faults }), faults };
}

function expanded(node: YamlNode, path: FieldPath, expanding: Expanding): Traced {
  const origin = originAt(node.span, path, expanding);
  switch (node.kind) {
    case 'scalar':
      return expandedScalar(node, path, expanding);
    case 'list':
      return {
        kind: 'list',
        items: node.items.map((item, index) => expanded(item, [...path, index], expanding)),
        origin,
      };
    case 'map':
      return {
        kind: 'map',
        entries: node.entries.map(({ key, keySpan, value }) => {
          const own = [...path, key];
          const at = originAt(keySpan, own, expanding);
          if (/(?<!\$)\$\{/.test(key)) expanding.faults.push({ kind: 'malformed', at: at.at });
          return { key, origin: at, value: expanded(value, own, expanding) };
        }),
        origin,
      };
  }
}

function expandedScalar(node: YamlScalar, path: FieldPath, expanding: Expanding): Traced {
  const origin = originAt(node.span, path, expanding);
  if (typeof node.value !== 'string') return { kind: 'scalar', yaml: plain(node), origin };
  if (!node.text.includes('${')) return { kind: 'scalar', yaml: inQuotes(node.text), origin };
  const parts = partsOf(node.text);
  const [only] = parts;
  const isWhole = parts.length === 1 && only?.kind === 'variable';
  if (isWhole && !isQuoted(node.span, expanding)) return whole(only, origin, expanding);
  const pieces = parts.map((part) => piece(part, origin, expanding));
  const cell = pieces.find((each) => each.cell !== undefined)?.cell;
  const text = pieces.map((each) => each.text).join('');
  return { kind: 'scalar', yaml: inQuotes(text), origin: { ...origin, ...(cell && { cell }) } };
}

type VariablePart = Extract<TextPart, { readonly kind: 'variable' }>;

function whole(part: VariablePart, origin: Origin, expanding: Expanding): Traced {
  const variable = expanding.variables.known.get(part.name);
  if (variable !== undefined) return taken(variable.value, { ...origin, cell: variable.at });
  if (part.fallback !== undefined) return { kind: 'scalar', yaml: scalarOf(part.fallback), origin };
  expanding.faults.push(lackOf(part.name, origin.at, expanding));
  return { kind: 'scalar', yaml: 'null', origin };
}

function piece(
  part: TextPart,
  { at }: Origin,
  expanding: Expanding,
): { readonly text: string; readonly cell?: Place } {
  if (part.kind === 'text') return { text: part.text };
  const { variables, faults } = expanding;
  if (part.kind === 'fault') {
    faults.push({ kind: 'malformed', at });
    return { text: part.written };
  }
  const variable = variables.known.get(part.name);
  if (variable?.value.kind === 'scalar') return { text: variable.value.text, cell: variable.at };
  if (variable !== undefined) faults.push({ kind: 'misplaced', name: part.name, at });
  else if (part.fallback === undefined) faults.push(lackOf(part.name, at, expanding));
  return { text: part.fallback ?? '' };
}

function lackOf(name: string, at: Place, { variables }: Expanding): ExpandFault {
  const cell = variables.empty.get(name);
  return cell === undefined ? { kind: 'unknown', name, at } : { kind: 'empty', name, at, cell };
}

/** A value from elsewhere, all of it at one place of the template. */
function taken(node: YamlNode, origin: Origin): Traced {
  switch (node.kind) {
    case 'scalar':
      return {
        kind: 'scalar',
        yaml: typeof node.value === 'string' ? inQuotes(node.text) : plain(node),
        origin,
      };
    case 'list':
      return { kind: 'list', items: node.items.map((item) => taken(item, origin)), origin };
    case 'map':
      return {
        kind: 'map',
        entries: node.entries.map(({ key, value }) => ({ key, origin, value: taken(value, origin) })),
        origin,
      };
  }
}

/** As it was written, so that `4.20` stays what it is where a text is wanted. */
function plain({ value, text }: YamlScalar): string {
  return value === null ? 'null' : text;
}

function originAt(span: Span, path: FieldPath, { file }: Expanding): Origin {
  return { at: { file, path: pathText(path), ...span } };
}

function isQuoted({ line, col }: Span, { lines }: Expanding): boolean {
  return ['"', "'"].includes(lines[line - 1]?.charAt(col - 1) ?? '');
}
