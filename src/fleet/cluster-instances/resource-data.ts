import type { Place } from '../../core/problem.js';
import { problem } from '../../core/problem.js';
import { isName } from '../../core/quoted.js';
import { nodeAt, pathText, type YamlEntry } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { dataEntry, joinedData, notTaken, type FoundData } from './data-entry.js';
import { generatedData, type Generator } from './generated-data.js';
import { generatorsNamed, resourcesNamed } from './resource-index.js';
import type { Resource } from './resources.js';

/** An object that holds texts, by how others refer to it. */
export interface DataReference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Of who refers to it: objects elsewhere are others. */
  readonly namespace: string;
}

/**
 * The texts of a ConfigMap or Secret: of the object itself, or of the files of which kustomize generates it. Undefined where
 * neither is among the resources. Problems: import/malformed. Warnings: import/missing, import/left-out.
 */
export function dataOf(
  resources: readonly Resource[],
  inputs: Inputs,
  wanted: DataReference,
): FoundData | undefined {
  const own = resourcesNamed(resources, wanted.kind, wanted.name).find(({ namespace }) =>
    isSame(namespace, wanted.namespace),
  );
  if (own !== undefined) return ownData(own);
  const generator = generatorOf(resources, wanted);
  return generator && generatedData(generator, inputs);
}

/** A file that leaves its namespace out is applied where its neighbours are. */
function isSame(left: string, right: string): boolean {
  return left === '' || right === '' || left === right;
}

const fields = ['data', 'stringData', 'binaryData'] as const;

function ownData({ root: rootOf, file, kind }: Resource): FoundData {
  const root = rootOf();
  const found = fields.flatMap((field) => {
    const node = nodeAt(root, [field]);
    const isEncoded = field === 'binaryData' || (kind === 'Secret' && field === 'data');
    return node?.kind === 'map'
      ? node.entries.map((entry) => {
          const path = pathText(isName(entry.key) ? [field, entry.key] : [field]);
          return ownEntry(entry, { file, path, ...entry.keySpan }, isEncoded);
        })
      : [];
  });
  return joinedData(found);
}

function ownEntry({ key, value }: YamlEntry, at: Place, isEncoded: boolean): FoundData {
  if (value.kind !== 'scalar') {
    const hint = 'write the text as a block, behind a `|`';
    return notTaken(problem('import/malformed', 'under a key stands a text', { at, hint }));
  }
  const contents = isEncoded ? Buffer.from(value.text, 'base64') : value.text;
  return dataEntry({ key, contents, written: at, at, lines: isEncoded ? undefined : value.lines });
}

function generatorOf(
  resources: readonly Resource[],
  { kind, name, namespace }: DataReference,
): Generator | undefined {
  const field = kind === 'Secret' ? 'secretGenerator' : 'configMapGenerator';
  const found = generatorsNamed(resources, field, name).find((each) => isSame(each.namespace, namespace));
  const node = found?.node();
  return found && node && { file: found.kustomization.file, path: [field, found.index], node };
}
