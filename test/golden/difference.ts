import { linesOf, treeOf, type Tree } from '../../src/review/review-tree.js';

/** What makes a tree of a base: its texts that differ, and the paths of the base that it has not. */
export function differenceFrom(base: Tree, tree: Tree): Tree {
  const gone = Object.keys(base).filter((path) => !(path in tree));
  return treeOf([
    ...Object.entries(tree).filter(([path, text]) => base[path] !== text),
    ...(gone.length === 0 ? [] : [['not-in-this-case.txt', linesOf(gone)] as const]),
  ]);
}
