import { isRecord } from '../core/is-record.js';
import type { OutputFile } from '../core/output-file.js';
import { programVersion } from '../core/program-version.js';
import { parseJson } from '../formats/json.js';
import type { Templates } from '../graph/context.js';
import { deepestMerge, mergedInto, unpackedBytes } from './config-pieces.js';
import { octal, partsOf, placesOf, unpackUpTo, type Part, type Unpack } from './node-parts.js';
import { renderText, renderPath } from './render-text.js';
import { cachedRenderFile, type RenderedFile, type RenderFile } from './render-file.js';
import { configSkeleton, withoutParts } from './config-skeleton.js';
import { treePath } from './tree-path.js';
import { linesOf, treeOf, type Tree } from './review-tree.js';

/** The first words of a tree's index. The version after it is that of the referenced templates. */
export const treeMark = 'Tree of sno-install ';

/** Names of the constant files by content (bytes as Latin-1). */
export type KnownTemplates = ReadonlyMap<string, string>;

/** Looks up a constant file by its content. */
export type TemplateNames = Pick<KnownTemplates, 'get'>;

/** Returns every template of the program. The key is the content, bytes as Latin-1. */
export function knownTemplates(templates: Templates): KnownTemplates {
  return new Map(
    templates.list('').map((path) => [Buffer.from(templates.read(path)).toString('latin1'), path]),
  );
}

/**
 * Renders outputs as a tree of texts for review in a diff, without secrets. Each `NAME.ign` becomes `NAME.ign.json`, the config
 * without files and units, and `NAME.ign.d/` with the files on the node and an `index.txt` of mode, owner, size and path. A
 * merged config becomes `NAME.ign.merge/0.ign` and so on, in the same format. A file that equals a template is only named in the
 * index, without its size, so that a template change shows up in the template alone.
 */
export function outputTree(files: readonly OutputFile[], templates: TemplateNames, show?: RenderFile): Tree {
  return treeOf(outputTexts(files, templates, show).map(({ path, text }) => [path, text]));
}

/** A text of a tree, and the content behind it. */
export interface SourcedText {
  readonly path: string;
  readonly text: string;
  /** The unmasked bytes; absent if the text is derived, such as an index. */
  readonly source?: Uint8Array;
  /** The unmasked config without its files and units. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * Like `explode`, with the unmasked content of each text, to find differences in masked values. Pass `show` to share its cache
 * between similar outputs.
 */
export function outputTexts(
  files: readonly OutputFile[],
  templates: TemplateNames,
  show: RenderFile = cachedRenderFile(),
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
  readonly show: RenderFile;
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
        `${octal(part.mode)} ${part.owner} ${part.isFetched ? '-' : sizeOf(part, exploding)} ${renderPath(part.path)}${notesOf(part, templates)}`,
    ),
    ...placesOf(config),
  ].map((line) => renderText(line));
  const shown = parts.filter(({ bytes }) => bytes.length > 0 && templateOf(bytes, templates) === undefined);
  return [
    {
      path: `${path}.json`,
      text: `${JSON.stringify(configSkeleton(config), undefined, 2)}\n`,
      config: withoutParts(config),
    },
    ...(index.length === 0 ? [] : [{ path: `${path}.d/index.txt`, text: linesOf(index) }]),
    ...shown.map((part) => ({
      path: `${path}.d${treePath(renderPath(part.path))}`,
      text: show(part),
      source: part.bytes,
    })),
    ...mergedConfigs(path, config, exploding),
  ];
}

/** Renders the configs embedded in `ignition.config.merge` and `replace`. */
function mergedConfigs(path: string, config: unknown, exploding: Exploding): readonly SourcedText[] {
  if (exploding.depth === deepestMerge) return [];
  return mergedInto(config, exploding.unpack).flatMap(({ bytes }, number) => {
    const inner = parseJson(bytes?.toString('utf8') ?? '');
    const place = `${path}.merge/${number}.ign`;
    return isRecord(inner) ? explodeConfig(place, inner, { ...exploding, depth: exploding.depth + 1 }) : [];
  });
}

/**
 * Returns the size if it follows from the shown text, otherwise `-`. Sizes of templates are omitted; sizes of certificates vary
 * with their signature.
 */
function sizeOf(part: RenderedFile, { templates, show }: Showing): string {
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

/** Returns the name of the template with these bytes; undefined for an empty file. */
function templateOf(bytes: Buffer, templates: TemplateNames): string | undefined {
  return bytes.length === 0 ? undefined : templates.get(bytes.toString('latin1'));
}
