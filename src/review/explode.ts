import { isRecord } from '../core/is-record.js';
import type { OutputFile } from '../core/output-file.js';
import { programVersion } from '../core/program-version.js';
import { parseJson } from '../formats/json.js';
import type { Templates } from '../graph/context.js';
import { deepestMerge, mergedInto, unpackedBytes } from './config-pieces.js';
import { octal, partsOf, placesOf, unpackUpTo, type Part, type Unpack } from './node-parts.js';
import { readable, shownPath } from './readable.js';
import { keepingShownTexts, type Shown, type ShowText } from './shown-text.js';
import { skeletonOf, withoutParts } from './skeleton.js';
import { treePath } from './tree-path.js';
import { linesOf, treeOf, type Tree } from './review-tree.js';

/** How the index of every tree begins; the version is that of the templates which it names. */
export const treeMark = 'Tree of sno-install ';

/** The constant files of the program, by their bytes. */
export type KnownTemplates = ReadonlyMap<string, string>;

/** What tells a constant file of the program by its bytes. */
export type TemplateNames = Pick<KnownTemplates, 'get'>;

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
export function explode(files: readonly OutputFile[], templates: TemplateNames, show?: ShowText): Tree {
  return treeOf(explodeWithSources(files, templates, show).map(({ path, text }) => [path, text]));
}

/** One text of a tree, with what it shows. */
export interface SourcedText {
  readonly path: string;
  readonly text: string;
  /** With every secret; absent where the text shows facts, not contents. */
  readonly source?: Uint8Array;
  /** The same of the config without its files and units. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * The same, each text with what it shows, for whoever looks for what differs in what a tree must not show. `show` is kept by who has
 * many that are alike.
 */
export function explodeWithSources(
  files: readonly OutputFile[],
  templates: TemplateNames,
  show: ShowText = keepingShownTexts(),
): readonly SourcedText[] {
  const unpack = unpackUpTo(unpackedBytes);
  const index = files.map(({ path, mode, contents }) => {
    const part = { mode, bytes: Buffer.from(contents) };
    return `${octal(mode)} ${path.endsWith('.ign') ? '-' : sizeOf(part, { templates, show })} ${path}`;
  });
  return [
    { path: 'index.txt', text: linesOf([`${treeMark}${programVersion}`, ...index]) },
    ...files.flatMap(({ path, mode, contents }): readonly SourcedText[] => {
      const bytes = Buffer.from(contents);
      const config = path.endsWith('.ign') ? parseJson(bytes.toString('utf8')) : undefined;
      return isRecord(config)
        ? explodeConfig(path, config, { templates, show, unpack, depth: 0 })
        : [{ path, text: show({ mode, bytes }), source: bytes }];
    }),
  ];
}

interface Showing {
  readonly templates: TemplateNames;
  readonly show: ShowText;
}

interface Exploding extends Showing {
  readonly unpack: Unpack;
  readonly depth: number;
}

function explodeConfig(
  path: string,
  config: Readonly<Record<string, unknown>>,
  exploding: Exploding,
): readonly SourcedText[] {
  const { templates, show, unpack } = exploding;
  const parts = partsOf(config, unpack);
  const index = [
    ...parts.map(
      (part) =>
        `${octal(part.mode)} ${part.owner} ${part.isFetched ? '-' : sizeOf(part, exploding)} ${shownPath(part.path)}${notesOf(part, templates)}`,
    ),
    ...placesOf(config),
  ].map((line) => readable(line));
  const shown = parts.filter(({ bytes }) => bytes.length > 0 && templateOf(bytes, templates) === undefined);
  return [
    {
      path: `${path}.json`,
      text: `${JSON.stringify(skeletonOf(config), undefined, 2)}\n`,
      config: withoutParts(config),
    },
    ...(index.length === 0 ? [] : [{ path: `${path}.d/index.txt`, text: linesOf(index) }]),
    ...shown.map((part) => ({
      path: `${path}.d${treePath(shownPath(part.path))}`,
      text: show(part),
      source: part.bytes,
    })),
    ...mergedConfigs(path, config, exploding),
  ];
}

/** The configs that stand in this one, as the source of what is merged into it or takes its place. */
function mergedConfigs(path: string, config: unknown, exploding: Exploding): readonly SourcedText[] {
  if (exploding.depth === deepestMerge) return [];
  return mergedInto(config, exploding.unpack).flatMap(({ bytes }, number) => {
    const inner = parseJson(bytes?.toString('utf8') ?? '');
    const place = `${path}.merge/${number}.ign`;
    return isRecord(inner) ? explodeConfig(place, inner, { ...exploding, depth: exploding.depth + 1 }) : [];
  });
}

/** Bytes, where they follow from the text that is shown: not of templates, nor of certificates, whose signatures differ in length. */
function sizeOf(part: Shown, { templates, show }: Showing): string {
  const text = part.bytes.toString('utf8');
  return templateOf(part.bytes, templates) === undefined && show(part) === text
    ? String(part.bytes.length)
    : '-';
}

function notesOf({ path, bytes, notes }: Part, templates: TemplateNames): string {
  const template = templateOf(bytes, templates);
  const named = template === `live${path}` ? 'template' : `template ${template}`;
  const all = [...notes, ...(template === undefined ? [] : [named])];
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

/** The template with these bytes; an empty file is nobody's copy. */
function templateOf(bytes: Buffer, templates: TemplateNames): string | undefined {
  return bytes.length === 0 ? undefined : templates.get(bytes.toString('latin1'));
}
