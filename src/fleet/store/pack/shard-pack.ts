import { createHmac } from 'node:crypto';

import { byCodeUnit, byKey } from '../../../core/compare.js';
import type { Place } from '../../../core/problem.js';
import {
  countShape,
  listShape,
  objectShape,
  recordShape,
  textShape,
} from '../../../disk/state/state-shape.js';
import { gunzip, gzip } from '../../../formats/gzip.js';
import { parseJson } from '../../../formats/json.js';
import { filesOfTar, tarOf, type TarFile } from '../../../formats/tar/tar-archive.js';
import type { Variable } from '../../../config/variables.js';
import type { LoadedFleet } from '../../table/check-fleet.js';
import type { PackedFiles } from '../../table/packed-files.js';
import type { SiteRow } from '../../table/site-table.js';

/** Everything that a pod needs to create the sites of one shard. */
export interface ShardPack extends Shard {
  /** Build ID of the program; a pack is read by the same build. */
  readonly program: string;
  /** HMAC key of the records of the fleet's sites, hex. */
  readonly fleetKey: string;
  /** Environment variables that are inputs of the sites. */
  readonly variables: Readonly<Record<string, string>>;
  /** Standard input, if a config refers to it. */
  readonly stdin?: { readonly reader: string; readonly bytes: Uint8Array };
  /** First place of each variable of the table. */
  readonly columns: ReadonlyMap<string, Place>;
  readonly hasLayers?: true;
  /** Rows with the values of the fleet's secrets. */
  readonly rows: readonly SiteRow[];
  readonly packed: PackedFiles;
}

/** One of several parts of a fleet, counted from 0. */
export interface Shard {
  readonly index: number;
  readonly shards: number;
}

/** Rows of a shard: every `shards`-th row of the table that is selected. May be empty. */
export function shardRows(
  { table, rows }: Pick<LoadedFleet, 'table' | 'rows'>,
  shard: Shard,
): readonly SiteRow[] {
  const own = new Set(table.rows.filter((_, line) => line % shard.shards === shard.index));
  return rows.filter((row) => own.has(row));
}

/** Unpacked archives are held in memory. */
const maxUnpackedBytes = 1024 * 1024 * 1024;

const version = 1;
const headName = 'pack.json';

/** Writes a deterministic archive in plain text. */
export async function packArchive(pack: ShardPack): Promise<Buffer> {
  const { packed, columns, rows, stdin, ...rest } = pack;
  const paths = [...packed.files.keys()].sort(byCodeUnit);
  const head = {
    version,
    ...rest,
    variables: Object.fromEntries(Object.entries(pack.variables).sort(byKey)),
    ...(stdin && { stdin: { reader: stdin.reader, base64: Buffer.from(stdin.bytes).toString('base64') } }),
    paths,
    folders: [...packed.folders].sort(byKey),
    columns: [...columns],
    rows: rows.map(writtenRow),
  };
  const files = paths.map((path, number) => file(`files/${number}`, packed.files.get(path) ?? ''));
  return tarOf([file(headName, JSON.stringify(head)), ...files]);
}

function file(path: string, contents: Uint8Array | string): TarFile {
  return { path, mode: 0o600, contents: Buffer.from(contents) };
}

export function compressed(archive: Uint8Array): Buffer {
  return gzip(archive);
}

/** Undefined if the bytes are damaged. */
export function decompressed(bytes: Uint8Array): Buffer | undefined {
  return gunzip(bytes, maxUnpackedBytes);
}

/** Name of an archive: changes with its contents, and reveals nothing about them without the key. */
export function packName(fleetKey: string, archive: Uint8Array): string {
  return keyed(fleetKey).update(archive).digest('hex');
}

/** Identifies the fleet key without revealing it. Pods accept only the packs of this fleet. */
export function fleetIdOf(fleetKey: string): string {
  return keyed(fleetKey).update('sno-install fleet').digest('hex').slice(0, 32);
}

export function isFleetId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

export function keyed(fleetKey: string): ReturnType<typeof createHmac> {
  return createHmac('sha256', Buffer.from(fleetKey, 'hex'));
}

/** Reads an archive. `damaged`: it is not a pack; `program`: another build wrote it. */
export async function readPackArchive(
  archive: Uint8Array,
  program: string,
): Promise<ShardPack | 'damaged' | 'program'> {
  const [head, ...files] = (await filesOfTar(archive)) ?? [];
  if (head?.path !== headName) return 'damaged';
  const value = parseJson(Buffer.from(head.contents).toString('utf8'));
  if (!isAnyHead(value)) return 'damaged';
  // Other builds may write other rows.
  if (value.version !== version || value.program !== program) return 'program';
  if (!isHead(value) || files.length !== value.paths.length) return 'damaged';
  const { index, shards, fleetKey, variables, stdin, paths, folders, columns, rows, hasLayers } = value;
  const contents = files.map((each) => each.contents);
  return {
    ...{ index, shards, program, fleetKey, variables },
    ...(stdin && { stdin: { reader: stdin.reader, bytes: Buffer.from(stdin.base64, 'base64') } }),
    columns: new Map(columns),
    ...(hasLayers && { hasLayers }),
    rows: rows.map(readRow),
    packed: {
      files: new Map(paths.map((path, number) => [path, contents[number] ?? new Uint8Array()])),
      folders: new Map(folders),
    },
  };
}

type AnyHead = Shard & { readonly version: number; readonly program: string; readonly fleetKey: string };

interface Head extends AnyHead, Pick<ShardPack, 'variables' | 'hasLayers'> {
  readonly stdin?: { readonly reader: string; readonly base64: string };
  readonly paths: readonly string[];
  readonly folders: readonly (readonly [string, readonly string[]])[];
  readonly columns: readonly (readonly [string, Place])[];
  readonly rows: readonly WrittenRow[];
}

const anyHead = objectShape({
  version: countShape,
  program: textShape(),
  index: countShape,
  shards: countShape,
  fleetKey: textShape('64 hexadecimal digits', (text) => /^[0-9a-f]{64}$/.test(text)),
});

const head = objectShape(
  {
    variables: recordShape(textShape()),
    paths: listShape(textShape()),
    folders: listShape(listShape(() => undefined)),
    columns: listShape(listShape(() => undefined)),
    rows: listShape(objectShape({ name: textShape(), known: listShape(listShape(() => undefined)) })),
  },
  { stdin: objectShape({ reader: textShape(), base64: textShape() }) },
);

function isAnyHead(value: unknown): value is AnyHead {
  return anyHead(value, '') === undefined;
}

/** Rows are those of the same build, and the name of the archive binds them. */
function isHead(value: AnyHead): value is Head {
  return head(value, '') === undefined;
}

interface WrittenRow extends Omit<SiteRow, 'variables'> {
  readonly known: readonly (readonly [name: string, variable: Variable])[];
  readonly empty: readonly (readonly [name: string, at: Place])[];
}

function writtenRow(row: SiteRow): WrittenRow {
  const { name, at, variables, layer, bmc } = row;
  return {
    ...{ name, at, known: [...variables.known], empty: [...variables.empty] },
    ...(layer && { layer }),
    ...(bmc && { bmc }),
  };
}

function readRow({ known, empty, ...row }: WrittenRow): SiteRow {
  return { ...row, variables: { known: new Map(known), empty: new Map(empty) } };
}
