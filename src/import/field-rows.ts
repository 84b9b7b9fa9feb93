import { problem, type Problem } from '../core/problem.js';
import { isName, quoted } from '../core/quoted.js';
import { mayBeSecretArgument } from '../core/secrets.js';
import { pathText, type FieldPath, type YamlEntry, type YamlNode } from '../formats/yaml/yaml-tree.js';

/** What becomes of a field of another installer. */
export type FieldRow = { readonly field: string } & (
  | { /** Where it goes: the same, or under another name. */ readonly to: string }
  | {
      /** What does the same here, or why nothing does. */
      readonly hint: string;
      /** Whether its value can be told: it names something, and is no secret. An address is told without a login. */
      readonly isShown?: true | 'address';
    }
  | { /** Why nothing is lost without it. */ readonly needless: string }
);

/** A map whose fields are looked up in a table. */
export interface Walked {
  readonly file: string;
  readonly root: YamlNode;
  readonly path: FieldPath;
  readonly rows: readonly FieldRow[];
}

/**
 * Every field of a map that has no place in our files: those that the table says so of, and those it does not know.
 * Warnings: import/no-place.
 */
export function fieldsWithoutPlace({ file, root, path, rows }: Walked): readonly Problem[] {
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
      const told = row ?? unknown;
      return 'hint' in told && !saysNothing(entry.value)
        ? [withoutPlace(entry, told, { file, path: place })]
        : [];
    });
  };
  return walk(root, '', path);
}

/** A field that is written and asks for nothing. */
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

const unknown = { hint: 'nothing is known of this field: look whether its name is mistyped' };

function withoutPlace(
  { key, keySpan, value }: YamlEntry,
  { hint, isShown }: { readonly hint: string; readonly isShown?: true | 'address' },
  { file, path }: { readonly file: string; readonly path: FieldPath },
): Problem {
  const show = isShown === 'address' ? quotedAddress : quoted;
  const said = isShown && value.kind === 'scalar' ? ` ${show(value.text)}` : '';
  const name = isName(key) ? key : 'this field';
  return problem('import/no-place', `${name}${said} has no place in what is made`, {
    at: {
      file,
      path: pathText(path),
      ...(value.kind === 'scalar' && value.text !== '' ? value.span : keySpan),
    },
    hint,
  });
}

/**
 * All before an `@` may be a user and password, what stands behind a `?` a token; paths of Redfish look like base64 as a whole. Where it
 * cannot be told what of it is a password, nothing is shown: an `@` behind a `?` or `#`, a `:` before what is no port.
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

/** As `quoted` shows what may be a secret. */
const hidden = '"…"';

/** `a.b[].c` lies in `a`, `a.b` and `a.b[]`. */
function holdersOf(field: string): readonly string[] {
  const parts = field.split('.');
  return parts.slice(0, -1).flatMap((_, index) => {
    const holder = parts.slice(0, index + 1).join('.');
    return holder.endsWith('[]') ? [holder.slice(0, -2), holder] : [holder];
  });
}
