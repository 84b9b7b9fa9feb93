import { ordinaryYaml } from './ordinary-yaml.js';
import { yamlByPackage, type KeyOrder } from './package-yaml.js';

/**
 * Canonical YAML: keys sorted, two-space indent, long lines kept whole, several lines as a literal block, no anchors.
 * The same value gives the same text. Keys whose value is undefined are left out. Texts that YAML 1.1 would read as
 * something else, such as `no`, are quoted: the parsers of Kubernetes read YAML 1.1.
 */
export function writeYaml(value: unknown): string {
  return written(value, { isSorted: true });
}

/** The same with keys in the order that they have, for what people are to read and fill in. */
export function writeYamlInOrder(value: unknown): string {
  return written(value, { isSorted: false });
}

function written(value: unknown, order: KeyOrder): string {
  return ordinaryYaml(value, order) ?? yamlByPackage(value, order);
}
