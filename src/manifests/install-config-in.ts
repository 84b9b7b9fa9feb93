import { toData } from '../formats/yaml/yaml-tree.js';
import { readYaml } from '../formats/yaml/yaml.js';

/** The install-config that the ConfigMap of the cluster's config holds as text; undefined where it holds none. */
export function installConfigIn(text: unknown): unknown {
  const [root] = typeof text === 'string' ? readYaml(text).documents : [];
  return root && toData(root);
}
