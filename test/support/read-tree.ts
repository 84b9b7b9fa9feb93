import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { treeOf, type Tree } from '../../src/review/review-tree.js';

/** The texts of the files below a folder, by path. Empty if the folder is missing. */
export function readTree(folder: string): Tree {
  return treeOf(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

function filesBelow(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((each) => each.isFile());
    return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  } catch {
    return [];
  }
}
