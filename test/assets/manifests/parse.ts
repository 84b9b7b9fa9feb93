import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { isRecord } from '../../../src/kube/fields.js';

/** The one document of a YAML text, which must be a map. */
export function parseYamlObject(text: string): Readonly<Record<string, unknown>> {
  const [data] = readYaml(text).documents.map(toData);
  if (!isRecord(data)) throw new Error(`no map: ${text}`);
  return data;
}
