import { linesOf, treeOf, type Tree } from '../../src/review/review-tree.js';

/** The files of a tree that differ from the base, and a list of base paths that are missing. */
export function differenceFrom(base: Tree, tree: Tree): Tree {
  const removed = Object.keys(base).filter((path) => !(path in tree));
  return treeOf([
    ...Object.entries(tree).filter(([path, text]) => base[path] !== text),
    ...(removed.length === 0 ? [] : [['not-in-this-case.txt', linesOf(removed)] as const]),
  ]);
}
