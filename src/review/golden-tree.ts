import type { OutputFile } from '../core/output-file.js';
import { programVersion } from '../core/program-version.js';
import { outputTree, treeMark } from './output-tree.js';
import { recordTemplates, templatesFolder } from './diff/review-side.js';
import { linesOf, treeOf, type Tree } from './review-tree.js';

/** A site rendered with placeholder keys. */
export interface GoldenSite {
  /** Folder within the tree, such as `sites/berlin`; empty for a single site. */
  readonly name: string;
  readonly target: string;
  readonly files: readonly OutputFile[];
}

/** The second line of a golden tree's index. */
export const goldenIndexLine = 'golden: made with stand-ins for keys and at a fixed time; nothing here boots';

/** Prefix of an index line that only golden trees of fleets contain. */
export const fleetMark = 'fleet ';

/**
 * Renders sites as one tree. Each site is rendered by `explode` below its name. The constant files they use are written once to
 * `templates/`, so that a new version of the program shows its changes there. `templates` maps contents to names.
 */
export function goldenTree(sites: readonly GoldenSite[], templates: ReadonlyMap<string, string>): Tree {
  const { recording, used } = recordTemplates(templates);
  const trees = sites.map((site) => ({ ...site, tree: outputTree(site.files, recording) }));
  const index = trees.map(({ name, target }) => (name === '' ? target : `${target} ${name}`));
  const [only] = trees;
  const outputs = only?.name === '' ? linesAfterMark(only.tree['index.txt'] ?? '') : '';
  return treeOf([
    ...trees.flatMap(({ name, tree }) =>
      Object.entries(tree).map(([path, text]) => [name === '' ? path : `${name}/${path}`, text] as const),
    ),
    ...Object.entries(used()).map(([name, text]) => [`${templatesFolder}${name}`, text] as const),
    ['index.txt', `${linesOf([`${treeMark}${programVersion}`, goldenIndexLine, ...index])}${outputs}`],
  ]);
}

function linesAfterMark(index: string): string {
  return index.slice(index.indexOf('\n') + 1);
}
