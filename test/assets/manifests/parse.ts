import { isRecord } from '../../../src/core/is-record.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';

/** The only document of a YAML text; throws if it is not a map. */
export function parseYamlObject(text: string): Readonly<Record<string, unknown>> {
  const [data] = readYaml(text).documents.map(toData);
  if (!isRecord(data)) throw new Error(`no map: ${text}`);
  return data;
}
