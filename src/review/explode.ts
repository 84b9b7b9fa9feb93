import type { OutputFile } from '../core/output-file.js';
import { programVersion } from '../core/program-version.js';
import { decodeDataUrl } from '../formats/data-url.js';
import { parseJson } from '../formats/json.js';
import type { Templates } from '../graph/context.js';
import { isRecord, listAt, textAt } from '../kube/fields.js';
import { octal, partsOf, placesOf, unpackUpTo, type Part, type Unpack } from './node-parts.js';
import { readable, shownPath } from './readable.js';
import { shownText, type Shown } from './shown-text.js';
import { skeletonOf } from './skeleton.js';
import { treePath } from './tree-path.js';
import { linesOf, treeOf, type Tree, type TreeEntry } from './review-tree.js';

/** What all files of a config may unpack to. */
const unpackedBytes = 256 * 1024 ** 2;

/** How often a config may hold another; Ignition itself sets no limit. */
const deepestMerge = 8;

/** How the index of every tree begins; the version is that of the templates which it names. */
export const treeMark = 'Tree of sno-install ';

/** The constant files of the program, by their bytes. */
export type KnownTemplates = ReadonlyMap<string, string>;

/** Every template of the program; texts are told from one another by their bytes as Latin-1. */
export function knownTemplates(templates: Templates): KnownTemplates {
  return new Map(
    templates.list('').map((path) => [Buffer.from(templates.read(path)).toString('latin1'), path]),
  );
}

/**
 * Outputs as a tree that a person can review as a diff, without a secret. Each `NAME.ign` becomes `NAME.ign.json`, the config
 * without files and units, and `NAME.ign.d/`, what it puts on the node with an `index.txt` of mode, owner, size and path; a
 * config that is merged into it becomes `NAME.ign.merge/0.ign` and so on in the same way. What is a template of ours byte for
 * byte is named in the index and not repeated, and has no size there: an edit of a template shows in the template alone.
 */
export function explode(files: readonly OutputFile[], templates: KnownTemplates): Tree {
  const unpack = unpackUpTo(unpackedBytes);
  const index = files.map(({ path, mode, contents }) => {
    const part = { mode, bytes: Buffer.from(contents) };
    return `${octal(mode)} ${path.endsWith('.ign') ? '-' : sizeOf(part, templates)} ${path}`;
  });
  return treeOf([
    ['index.txt', linesOf([`${treeMark}${programVersion}`, ...index])],
    ...files.flatMap(({ path, mode, contents }): readonly TreeEntry[] => {
      const bytes = Buffer.from(contents);
      const config = path.endsWith('.ign') ? parseJson(bytes.toString('utf8')) : undefined;
      return isRecord(config)
        ? explodeConfig(path, config, { templates, unpack, depth: 0 })
        : [[path, shownText({ mode, bytes })]];
    }),
  ]);
}

interface Exploding {
  readonly templates: KnownTemplates;
  readonly unpack: Unpack;
  readonly depth: number;
}

function explodeConfig(
  path: string,
  config: Readonly<Record<string, unknown>>,
  exploding: Exploding,
): readonly TreeEntry[] {
  const { templates, unpack } = exploding;
  const parts = partsOf(config, unpack);
  const index = [
    ...parts.map(
      (part) =>
        `${octal(part.mode)} ${part.owner} ${part.isFetched ? '-' : sizeOf(part, templates)} ${shownPath(part.path)}${notesOf(part, templates)}`,
    ),
    ...placesOf(config),
  ].map((line) => readable(line));
  const shown = parts.filter(({ bytes }) => bytes.length > 0 && templateOf(bytes, templates) === undefined);
  return [
    [`${path}.json`, `${JSON.stringify(skeletonOf(config), undefined, 2)}\n`],
    ...(index.length === 0 ? [] : [[`${path}.d/index.txt`, linesOf(index)] as const]),
    ...shown.map((part) => [`${path}.d${treePath(shownPath(part.path))}`, shownText(part)] as const),
    ...mergedConfigs(path, config, exploding),
  ];
}

/** The configs that stand in this one, as the source of what is merged into it or takes its place. */
function mergedConfigs(path: string, config: unknown, exploding: Exploding): readonly TreeEntry[] {
  if (exploding.depth === deepestMerge) return [];
  const sources = [
    ...listAt(config, ['ignition', 'config', 'merge']).map((each) => textAt(each, ['source'])),
    textAt(config, ['ignition', 'config', 'replace', 'source']),
  ];
  return sources.flatMap((source, number) => {
    const inner = parseJson(decodeDataUrl(source ?? '')?.toString('utf8') ?? '');
    const place = `${path}.merge/${number}.ign`;
    return isRecord(inner) ? explodeConfig(place, inner, { ...exploding, depth: exploding.depth + 1 }) : [];
  });
}

/** Bytes, where they follow from the text that is shown: not of templates, nor of certificates, whose signatures differ in length. */
function sizeOf(part: Shown, templates: KnownTemplates): string {
  const text = part.bytes.toString('utf8');
  return templateOf(part.bytes, templates) === undefined && shownText(part) === text
    ? String(part.bytes.length)
    : '-';
}

function notesOf({ path, bytes, notes }: Part, templates: KnownTemplates): string {
  const template = templateOf(bytes, templates);
  const named = template === `live${path}` ? 'template' : `template ${template}`;
  const all = [...notes, ...(template === undefined ? [] : [named])];
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

/** The template with these bytes; an empty file is nobody's copy. */
function templateOf(bytes: Buffer, templates: KnownTemplates): string | undefined {
  return bytes.length === 0 ? undefined : templates.get(bytes.toString('latin1'));
}
