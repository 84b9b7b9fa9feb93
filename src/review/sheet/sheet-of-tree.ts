import { parseJson } from '../../formats/json.js';
import { parseIndex } from '../diff/index-entries.js';
import { detectCluster } from '../inspection/detect-cluster.js';
import { fetchedConfigsIn, usersIn } from '../inspection/inspect-config.js';
import type { PartContent } from '../node-parts.js';
import type { Tree } from '../review-tree.js';
import { sheetOf } from './make-sheet.js';
import { bootConfigs } from './sheet-differences.js';
import type { Sheet } from './sheet.js';

/**
 * The sheet of the tree of one site, read from its masked texts; undefined if no config in it boots a machine. `constants` are the files
 * of sno-install that the index names as templates.
 */
export function sheetOfTree(tree: Tree, constants: Tree): Sheet | undefined {
  const outermost = bootConfigs.find((name) => tree[`${name}.json`] !== undefined);
  if (outermost === undefined) return undefined;
  const names = Object.keys(tree).flatMap((path) => {
    const [, name = ''] = /^(.*\.ign)\.json$/.exec(path) ?? [];
    return name === outermost || name.startsWith(`${outermost}.merge/`) ? [name] : [];
  });
  const configs = names.map((name) => parseJson(tree[`${name}.json`] ?? ''));
  const parts = names.flatMap((name) => partsIn(tree, name, constants));
  const fetchedConfigs = configs.flatMap(fetchedConfigsIn);
  return sheetOf({
    parts,
    cluster: detectCluster({ parts, fetchedConfigs, names: [] }),
    users: configs.flatMap(usersIn),
  });
}

function partsIn(tree: Tree, config: string, constants: Tree): readonly PartContent[] {
  return parseIndex(tree[`${config}.d/index.txt`] ?? '').flatMap(
    ({ kind, name, facts, treePath, template }) => {
      if (kind !== 'file') return [];
      const text = template === undefined ? tree[`${config}.d${treePath}`] : constants[template];
      const isFetched = facts['way']?.split(', ').includes('fetched') === true;
      return [{ path: name, bytes: Buffer.from(text ?? ''), isFetched }];
    },
  );
}
