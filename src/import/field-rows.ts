import { problem, type Problem } from '../core/problem.js';
import { isName, quoted } from '../core/quoted.js';
import { mayBeSecretArgument } from '../core/secrets.js';
import { pathText, type FieldPath, type YamlEntry, type YamlNode } from '../formats/yaml/yaml-tree.js';

/** How the import handles a field of another installer. */
export type FieldRow = { readonly field: string } & (
  | { /** The target field, under the same or another name. */ readonly to: string }
  | {
      /** The equivalent setting here, or why there is none. */
      readonly hint: string;
      /** True if the value is never a secret and may appear in a message. An address is shown without user and password. */
      readonly isShown?: true | 'address';
    }
  | { /** Why the field can be dropped without a warning. */ readonly needless: string }
);

/** A map whose fields are checked against a table. */
export interface FieldLookup {
  readonly file: string;
  readonly root: YamlNode;
  readonly path: FieldPath;
  readonly rows: readonly FieldRow[];
}

/**
 * Reports every non-empty field without an equivalent: those with a hint in the table, and those missing from it.
 * Warnings: import/no-place.
 */
export function unconvertedFields({ file, root, path, rows }: FieldLookup): readonly Problem[] {
  const byField = new Map(rows.map((row) => [row.field, row]));
  const inside = new Set(rows.flatMap(({ field }) => holdersOf(field)));
  const walk = (node: YamlNode, own: string, at: FieldPath): readonly Problem[] => {
    if (node.kind === 'list')
      return node.items.flatMap((item, index) => walk(item, `${own}[]`, [...at, index]));
    if (node.kind !== 'map') return [];
    return node.entries.flatMap((entry) => {
      const field = own === '' ? entry.key : `${own}.${entry.key}`;
      const row = byField.get(field);
      const place = [...at, ...(isName(entry.key) ? [entry.key] : [])];
      if (row === undefined && inside.has(field)) return walk(entry.value, field, place);
      const found = row ?? unknown;
      return 'hint' in found && !saysNothing(entry.value)
        ? [withoutPlace(entry, found, { file, path: place })]
        : [];
    });
  };
  return walk(root, '', path);
}

/** True for an empty value, null or false. */
function saysNothing(value: YamlNode): boolean {
  switch (value.kind) {
    case 'map':
      return value.entries.length === 0;
    case 'list':
      return value.items.length === 0;
    case 'scalar':
      return value.value === null || value.value === '' || value.value === false;
  }
}

const unknown: FieldRow = { field: '', hint: 'unknown field: check its spelling' };

function withoutPlace(
  { key, keySpan, value }: YamlEntry,
  { hint, isShown }: { readonly hint: string; readonly isShown?: true | 'address' },
  { file, path }: { readonly file: string; readonly path: FieldPath },
): Problem {
  const show = isShown === 'address' ? quotedAddress : quoted;
  const said = isShown && value.kind === 'scalar' ? ` ${show(value.text)}` : '';
  const name = isName(key) ? key : 'this field';
  return problem('import/no-place', `${name}${said} has no equivalent and is ignored`, {
    at: {
      file,
      path: pathText(path),
      ...(value.kind === 'scalar' && value.text !== '' ? value.span : keySpan),
    },
    hint,
  });
}

/**
 * Quotes an address without user, password and query, which may contain a token. Paths of Redfish would otherwise be taken for base64.
 * Hides the whole address if the password cannot be located: an `@` after a `?` or `#`, or a `:` that is not followed by a port.
 */
function quotedAddress(text: string): string {
  if (/[?#].*@/s.test(text)) return hidden;
  const [, scheme = '', rest = ''] = /^([a-z][a-z+.-]*:\/\/)?(.*)$/is.exec(text) ?? [];
  const [address = ''] = rest.slice(rest.lastIndexOf('@') + 1).split(/[?#]/);
  const shown = `${scheme}${address}`;
  const judged = shown.replace(/\[[\da-f:.]+\]/i, 'ipv6');
  if (/^[^/]*:(?!\d{0,5}(?:\/|$))/.test(judged.slice(scheme.length))) return hidden;
  return shown.length > 200 || mayBeSecretArgument(judged) ? quoted(shown) : JSON.stringify(shown);
}

/** Same text as `quoted` returns for a possible secret. */
const hidden = '"…"';

/** Returns the parents of a field: `a`, `a.b` and `a.b[]` for `a.b[].c`. */
function holdersOf(field: string): readonly string[] {
  const parts = field.split('.');
  return parts.slice(0, -1).flatMap((_, index) => {
    const holder = parts.slice(0, index + 1).join('.');
    return holder.endsWith('[]') ? [holder.slice(0, -2), holder] : [holder];
  });
}
