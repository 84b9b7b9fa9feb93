import type { OutputFile } from '../core/output-file.js';
import { programVersion } from '../core/program-version.js';
import { explode, treeMark } from './explode.js';
import { recorded, templatesFolder } from './diff/review-side.js';
import { linesOf, treeOf, type Tree } from './review-tree.js';

/** What was made of a site with stand-ins. */
export interface GoldenSite {
  /** Where its part of the tree is, such as `sites/berlin`; empty where it is the only one and is the whole tree. */
  readonly name: string;
  readonly target: string;
  readonly files: readonly OutputFile[];
}

/** What the index of a golden tree says, so that nobody looks for a machine that boots with it. */
export const goldenNote = 'golden: made with stand-ins for keys and at a fixed time; nothing here boots';

/** What a line of the index of a golden tree of a fleet begins with, and no other has. */
export const fleetMark = 'fleet ';

/**
 * Sites as one tree: each as `explode` shows it below its name, and the constant files of sno-install that they use once for all in
 * `templates/`, so that another version of the program shows what it changes. `templates` are those constant files by their bytes.
 */
export function goldenTree(sites: readonly GoldenSite[], templates: ReadonlyMap<string, string>): Tree {
  const { recording, used } = recorded(templates);
  const trees = sites.map((site) => ({ ...site, tree: explode(site.files, recording) }));
  const index = trees.map(({ name, target }) => (name === '' ? target : `${target} ${name}`));
  const [only] = trees;
  const outputs = only?.name === '' ? linesAfterMark(only.tree['index.txt'] ?? '') : '';
  return treeOf([
    ...trees.flatMap(({ name, tree }) =>
      Object.entries(tree).map(([path, text]) => [name === '' ? path : `${name}/${path}`, text] as const),
    ),
    ...Object.entries(used()).map(([name, text]) => [`${templatesFolder}${name}`, text] as const),
    ['index.txt', `${linesOf([`${treeMark}${programVersion}`, goldenNote, ...index])}${outputs}`],
  ]);
}

function linesAfterMark(index: string): string {
  return index.slice(index.indexOf('\n') + 1);
}
