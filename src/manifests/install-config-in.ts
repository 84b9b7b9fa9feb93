import { toData } from '../formats/yaml/yaml-tree.js';
import { readYaml } from '../formats/yaml/yaml.js';

/** Parses the install-config in the cluster-config ConfigMap; undefined if it contains none. */
export function installConfigIn(text: unknown): unknown {
  const [root] = typeof text === 'string' ? readYaml(text).documents : [];
  return root && toData(root);
}
