import type { Place } from '../core/problem.js';
import type { Traced } from '../formats/yaml/traced.js';
import { readYaml } from '../formats/yaml/yaml.js';
import { placeInSource, type ImportedFile } from './imported-site.js';
import { tracedNode } from './tracing.js';

/** Returns the documents of an imported file; each value's origin is its place in the source. Undefined if the file is not YAML. */
export function documentsIn(file: ImportedFile): readonly Traced[] | undefined {
  if (file.root !== undefined) return [file.root];
  const { documents, faults } = readYaml(file.text);
  if (faults.length > 0) return undefined;
  return documents.map((root) => placed(tracedNode(root, file.path, []), (at) => placeInSource(file, at)));
}

function placed(node: Traced, place: (at: Place) => Place): Traced {
  const origin = { at: place(node.origin.at) };
  switch (node.kind) {
    case 'scalar':
      return { ...node, origin };
    case 'list':
      return { ...node, origin, items: node.items.map((item) => placed(item, place)) };
    case 'map':
      return {
        ...node,
        origin,
        entries: node.entries.map((entry) => ({
          ...entry,
          origin: { at: place(entry.origin.at) },
          value: placed(entry.value, place),
        })),
      };
  }
}
