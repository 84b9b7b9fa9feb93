import type { Place } from '../core/problem.js';
import type { YamlNode } from '../formats/yaml/yaml-tree.js';
import { inQuotes } from '../formats/yaml/yaml-scalars.js';

/** What stands for a variable of a site. */
export interface Variable {
  /** With places in the file of `at`. */
  readonly value: YamlNode;
  /** The cell of the table, or the field of fleet.yaml. */
  readonly at: Place;
}

/** The variables of a site by their names. A cell without a value has no variable, and its place is kept. */
export interface SiteVariables {
  readonly known: ReadonlyMap<string, Variable>;
  readonly empty: ReadonlyMap<string, Place>;
}

/** A part of a text: words of its own, or a variable with what stands for it where the site has none. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly fallback?: string }
  | { readonly kind: 'fault'; readonly written: string };

const variableName = /^[A-Za-z_][\w-]*$/;

/** Whether a text can be the name of a variable. */
export function isVariableName(text: string): boolean {
  return variableName.test(text);
}

/** The parts of a text: `${name}`, `${name:-otherwise}`, and `$${` for a `${` that stays. */
export function partsOf(text: string): readonly TextPart[] {
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

/** The names of the variables in a text. */
export function namesIn(text: string): readonly string[] {
  return partsOf(text).flatMap((part) => (part.kind === 'variable' ? [part.name] : []));
}

/** A cell without quotes as YAML: a number or true and false by themselves, anything else a text. */
export function scalarOf(text: string): string {
  const isPlain = /^-?(?:0|[1-9]\d{0,15})(?:\.\d+)?$/.test(text) || text === 'true' || text === 'false';
  return isPlain ? text : inQuotes(text);
}
