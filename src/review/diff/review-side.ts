import type { OutputFile } from '../../core/output-file.js';
import { explodeWithSources, type TemplateNames, type SourcedText } from '../explode.js';
import type { Tree } from '../review-tree.js';
import type { ShowText } from '../shown-text.js';

/** One of two things to compare: a tree, and of what a tree was just made of also what it does not show. */
export interface ReviewSide {
  readonly texts: readonly SourcedText[];
  /** Constant files of sno-install that the tree names and does not repeat, by name; empty where they are not compared. */
  readonly templates: Tree;
  /** The same, as far as this program knows them. */
  readonly known: Tree;
}

/** Where a golden tree keeps the constant files that its sites use, once for all of them. */
export const templatesFolder = 'templates/';

/** A tree as it was written to a folder; `known` are the constant files of the version that wrote it. */
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

/** Outputs as a tree in memory. Constant files are repeated where no `templates` are given: then each is compared where it stands. */
export function sideOfOutputs(
  files: readonly OutputFile[],
  templates: ReadonlyMap<string, string> = new Map(),
  show?: ShowText,
): ReviewSide {
  const { recording, used } = recorded(templates);
  const texts = explodeWithSources(files, recording, show);
  return { texts, templates: used(), known: used() };
}

/** Constant files that note which of them were met. */
export function recorded(templates: ReadonlyMap<string, string>): {
  readonly recording: TemplateNames;
  readonly used: () => Tree;
} {
  const met = new Map<string, string>();
  const get = (bytes: string): string | undefined => {
    const name = templates.get(bytes);
    if (name !== undefined) met.set(name, Buffer.from(bytes, 'latin1').toString('utf8'));
    return name;
  };
  return { recording: { get }, used: () => Object.fromEntries(met) };
}
