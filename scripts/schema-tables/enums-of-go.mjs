// Values of enumerated fields of Kubernetes. Its published OpenAPI documents leave them out; its generated Go source has them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = 'pkg/generated/openapi/zz_generated.openapi.go';

/** `{ 'io.k8s.api.storage.v1.StorageClass.volumeBindingMode': { values, isOfItems } }` of a module's directory. */
export function enumsIn(directory) {
  const found = {};
  let type = '';
  let field = '';
  for (const line of readFileSync(join(directory, source), 'utf8').split('\n')) {
    const [, named] = /^func schema_k8sio_api_(\w+)\(/.exec(line) ?? [];
    if (line.startsWith('func '))
      type = named === undefined ? '' : `io.k8s.api.${named.replaceAll('_', '.')}`;
    const [, name] = /^\t{5}"(\w+)": \{$/.exec(line) ?? [];
    if (name !== undefined) field = name;
    const [, indent, values] = /^(\t+)Enum: +\[\]interface\{\}\{(.*)\},$/.exec(line) ?? [];
    if (type !== '' && values !== undefined)
      found[`${type}.${field}`] = { values: JSON.parse(`[${values}]`), isOfItems: indent.length > 7 };
  }
  return found;
}
