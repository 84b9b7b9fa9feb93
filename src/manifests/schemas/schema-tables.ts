import { brotliDecompressSync } from 'node:zlib';

import { checkedAs } from '../../formats/apply-schema.js';
import type { ObjectSchema } from '../../release/schemas/object-schema.js';
import { schemaTables } from '../../release/schemas/tables.generated.js';

/** The schema of a kind in some releases. */
export interface SchemaRow {
  /** Releases of OpenShift, or of Kubernetes for its own kinds; of an operator, its version if it differs. */
  readonly in: readonly string[];
  /** Feature sets with this schema; absent for those that no other row names. */
  readonly sets?: readonly string[];
  /** `go`: a Go program decodes the object into its own types; `operator`: the definition belongs to an operator. */
  readonly from?: 'go' | 'operator';
  readonly schema: ObjectSchema;
}

/** A table as scripts/schema-tables writes it: schemas are numbers of nodes, and a node refers to earlier ones only. */
interface PackedTable {
  readonly kinds: Readonly<
    Record<string, readonly (Omit<SchemaRow, 'schema'> & { readonly root: number })[]>
  >;
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
}

type Rows = Readonly<Record<string, readonly SchemaRow[]>>;

/** Unpacked tables by group: constant data that takes milliseconds to unpack. */
const unpacked = new Map<string, Rows>();

/** The schemas of a kind, oldest release first; empty if the table does not have the kind. */
export function schemaRows(group: string, version: string, kind: string): readonly SchemaRow[] {
  const rows = unpacked.get(group) ?? unpack(group);
  unpacked.set(group, rows);
  const name = `${version}/${kind}`;
  return Object.hasOwn(rows, name) ? (rows[name] ?? []) : [];
}

function unpack(group: string): Rows {
  const packed = Object.hasOwn(schemaTables, group) ? schemaTables[group] : undefined;
  if (packed === undefined) return {};
  const text = brotliDecompressSync(Buffer.from(packed, 'base64')).toString();
  const { kinds, nodes } = checkedAs<PackedTable>(JSON.parse(text));
  const schemas: ObjectSchema[] = [];
  for (const node of nodes) schemas.push(linked(node, schemas));
  return Object.fromEntries(
    Object.entries(kinds).map(([name, rows]) => [
      name,
      rows.map(({ root, ...row }) => ({ ...row, schema: schemas[root] ?? {} })),
    ]),
  );
}

/** Replaces the numbers of schemas by the schemas. */
function linked(node: Readonly<Record<string, unknown>>, schemas: readonly ObjectSchema[]): ObjectSchema {
  const schema: Record<string, unknown> = { ...node };
  for (const name of ['additionalProperties', 'items', 'not'])
    if (typeof node[name] === 'number') schema[name] = schemas[node[name]];
  for (const name of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(node[name])) schema[name] = node[name].map((index) => schemas[Number(index)]);
  if (node['properties'] !== undefined) {
    const properties = checkedAs<Record<string, number>>(node['properties']);
    schema['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, index]) => [name, schemas[index]]),
    );
  }
  return schema;
}
