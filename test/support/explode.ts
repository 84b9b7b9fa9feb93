import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byCodeUnit } from '../../src/core/compare.js';
import type { OutputFile } from '../../src/core/output-file.js';
import { decodeDataUrl } from '../../src/formats/data-url.js';
import type { IgnitionConfig, IgnitionFile, IgnitionUnit } from '../../src/ignition/types.js';
import { readable } from './readable.js';

/** Texts by path, in order of path. */
export type Tree = Readonly<Record<string, string>>;

/**
 * Outputs as a tree that a person can review as a diff. Each `NAME.ign` becomes `NAME.ign.json`, the config without
 * files and units, and `NAME.ign.d/`, what it puts on the node with an `index.txt` of mode, owner, size and path.
 * What is a template of ours byte for byte is named in the index and not repeated, and has no size there: an edit of a
 * template shows in the template alone.
 */
export function explode(files: readonly OutputFile[]): Tree {
  const index = files.map(({ path, mode, contents }) => {
    const size = path.endsWith('.ign') ? '-' : sizeOf(Buffer.from(contents));
    return `${octal(mode)} ${size} ${path}`;
  });
  return sorted([
    ['index.txt', lines(index)],
    ...files.flatMap(({ path, contents }) => {
      const text = Buffer.from(contents).toString('utf8');
      return path.endsWith('.ign') ? explodeConfig(path, text) : [entry(path, readable(text))];
    }),
  ]);
}

/** What makes a tree of a base: its texts that differ, and the paths of the base that it has not. */
export function differenceFrom(base: Tree, tree: Tree): Tree {
  const gone = Object.keys(base).filter((path) => !(path in tree));
  return sorted([
    ...Object.entries(tree).filter(([path, text]) => base[path] !== text),
    ...(gone.length === 0 ? [] : [entry('not-in-this-case.txt', lines(gone))]),
  ]);
}

/** The files below a folder, which may be missing. */
export function readTree(folder: string): Tree {
  return sorted(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

type Entry = readonly [path: string, text: string];

function explodeConfig(path: string, text: string): readonly Entry[] {
  const { storage, systemd, ...skeleton } = JSON.parse(text) as IgnitionConfig;
  const parts = [...(storage?.files ?? []).map(filePart), ...(systemd?.units ?? []).flatMap(unitParts)];
  const directories = (storage?.directories ?? []).map(
    ({ path: folder, mode }) => `${octal(mode)} root - ${folder}/`,
  );
  const index = parts.map(
    (part) => `${octal(part.mode)} root ${sizeOf(part.bytes)} ${part.path}${notesOf(part)}`,
  );
  return [
    entry(`${path}.json`, `${readable(JSON.stringify(skeleton, undefined, 2))}\n`),
    ...(index.length === 0 ? [] : [entry(`${path}.d/index.txt`, lines([...index, ...directories]))]),
    ...parts
      .filter(({ bytes }) => bytes.length > 0 && templateOf(bytes) === undefined)
      .map((part) => entry(`${path}.d${part.path}`, readable(part.bytes.toString('utf8')))),
  ];
}

/** Something the config puts at a path of the node. */
interface Part {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer;
  readonly notes: readonly string[];
}

function filePart({ path, mode, contents, append, overwrite }: IgnitionFile): Part {
  const resources = [...(contents ? [contents] : []), ...(append ?? [])];
  const sources = resources.map(({ source }) => source);
  const bytes = Buffer.concat(sources.map((source) => decodeDataUrl(source) ?? Buffer.from(source)));
  return {
    path,
    mode,
    bytes,
    notes: [
      ...(append ? ['append'] : []),
      ...(overwrite === true || append ? [] : ['once']),
      ...(sources.some((source) => source.startsWith('https:')) ? ['fetched'] : []),
      ...resources.flatMap(({ compression }) => compression ?? []),
      ...resources.flatMap(({ verification }) => verification?.hash ?? []),
    ],
  };
}

function unitParts({ name, enabled, mask, contents, dropins = [] }: IgnitionUnit): readonly Part[] {
  const path = `/etc/systemd/system/${name}`;
  const notes = ['unit', ...(enabled === true ? ['enabled'] : []), ...(mask === true ? ['masked'] : [])];
  return [
    { path, mode: 0o644, bytes: Buffer.from(contents ?? ''), notes },
    ...dropins.map((dropin) => ({
      path: `${path}.d/${dropin.name}`,
      mode: 0o644,
      bytes: Buffer.from(dropin.contents),
      notes: ['drop-in'],
    })),
  ];
}

/** Bytes, where they follow from the text that is shown: not of templates, nor of certificates, whose signatures differ in length. */
function sizeOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return templateOf(bytes) === undefined && readable(text) === text ? String(bytes.length) : '-';
}

function notesOf({ path, bytes, notes }: Part): string {
  const template = templateOf(bytes);
  const named = template === `live${path}` ? 'template' : `template ${template}`;
  const all = [...notes, ...(template === undefined ? [] : [named])];
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

/** The template with these bytes; an empty file is nobody's copy. */
function templateOf(bytes: Buffer): string | undefined {
  return bytes.length === 0 ? undefined : templates.get(bytes.toString('latin1'));
}

function filesBelow(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((each) => each.isFile());
    return files
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .toSorted(byCodeUnit);
  } catch {
    return [];
  }
}

function entry(path: string, text: string): Entry {
  return [path, text];
}

function sorted(entries: readonly Entry[]): Tree {
  return Object.fromEntries(entries.toSorted(([left], [right]) => byCodeUnit(left, right)));
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

const templates = new Map(
  filesBelow('templates').map((path) => [readFileSync(join('templates', path), 'latin1'), path]),
);
