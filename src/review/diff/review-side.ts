import type { OutputFile } from '../../core/output-file.js';
import { outputTexts, type TemplateNames, type SourcedText } from '../output-tree.js';
import type { Tree } from '../review-tree.js';
import type { RenderFile } from '../render-file.js';

/** One side of a comparison: a tree, with unmasked contents if it was created in memory. */
export interface ReviewSide {
  readonly texts: readonly SourcedText[];
  /** Constant files that the tree references by name; empty if they are not compared. */
  readonly templates: Tree;
  /** The texts of all constant files known for this side. */
  readonly known: Tree;
}

/** The folder of constant files in a golden tree, shared by its sites. */
export const templatesFolder = 'templates/';

/** Returns the side of a tree read from a folder. `known` are the constant files of the version that wrote it. */
export function sideOfTree(tree: Tree, known: Tree = {}): ReviewSide {
  const texts = Object.entries(tree).map(([path, text]) => ({ path, text }));
  const kept = texts.flatMap(({ path, text }) =>
    path.startsWith(templatesFolder) ? [[path.slice(templatesFolder.length), text] as const] : [],
  );
  const templates = Object.fromEntries(kept);
  return {
    texts: texts.filter(({ path }) => !path.startsWith(templatesFolder)),
    templates,
    known: { ...known, ...templates },
  };
}

/** Returns the side of outputs in memory. Without `templates`, constant files are compared where they occur. */
export function sideOfOutputs(
  files: readonly OutputFile[],
  templates: ReadonlyMap<string, string> = new Map(),
  show?: RenderFile,
): ReviewSide {
  const { recording, used } = recordTemplates(templates);
  const texts = outputTexts(files, recording, show);
  return { texts, templates: used(), known: used() };
}

/** Wraps constant files and records which of them are used. */
export function recordTemplates(templates: ReadonlyMap<string, string>): {
  readonly recording: TemplateNames;
  readonly used: () => Tree;
} {
  const used = new Map<string, string>();
  const get = (bytes: string): string | undefined => {
    const name = templates.get(bytes);
    if (name !== undefined) used.set(name, Buffer.from(bytes, 'latin1').toString('utf8'));
    return name;
  };
  return { recording: { get }, used: () => Object.fromEntries(used) };
}
