import type { Place } from '../core/problem.js';
import type { YamlNode } from '../formats/yaml/yaml-tree.js';
import { inQuotes } from '../formats/yaml/yaml-scalars.js';

/** The value of a site's variable. */
export interface Variable {
  /** Its positions refer to the file in `at`. */
  readonly value: YamlNode;
  /** The cell of the sites table, or the field of fleet.yaml. */
  readonly at: Place;
}

/** The variables of a site by name. `empty` contains the positions of cells without a value. */
export interface SiteVariables {
  readonly known: ReadonlyMap<string, Variable>;
  readonly empty: ReadonlyMap<string, Place>;
}

/** A part of a template text: literal text, or a variable with an optional fallback for sites without it. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly fallback?: string }
  | { readonly kind: 'fault'; readonly written: string };

const variableName = /^[A-Za-z_][\w-]*$/;

export function isVariableName(text: string): boolean {
  return variableName.test(text);
}

/** Splits a text into literals, `${name}` and `${name:-fallback}`; `$${` is a literal `${`. */
export function templateParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let behind = 0;
  for (const match of text.matchAll(/\$\$\{|\$\{([^}]*)\}?/g)) {
    if (match.index > behind) parts.push({ kind: 'text', text: text.slice(behind, match.index) });
    parts.push(partOf(match[0], match[1]));
    behind = match.index + match[0].length;
  }
  if (behind < text.length) parts.push({ kind: 'text', text: text.slice(behind) });
  return parts;
}

function partOf(written: string, inner: string | undefined): TextPart {
  if (inner === undefined) return { kind: 'text', text: '${' };
  const [, name = '', fallback] = /^([^:]*)(?::-(.*))?$/s.exec(inner) ?? [];
  if (!written.endsWith('}') || !isVariableName(name)) return { kind: 'fault', written };
  return { kind: 'variable', name, ...(fallback !== undefined && { fallback }) };
}

export function variableNamesIn(text: string): readonly string[] {
  return templateParts(text).flatMap((part) => (part.kind === 'variable' ? [part.name] : []));
}

/** Converts an unquoted cell to YAML: numbers and booleans stay plain, other texts are quoted. */
export function cellToYaml(text: string): string {
  const isPlain = /^-?(?:0|[1-9]\d{0,15})(?:\.\d+)?$/.test(text) || text === 'true' || text === 'false';
  return isPlain ? text : inQuotes(text);
}
