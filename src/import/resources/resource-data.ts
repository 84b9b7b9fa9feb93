import { posix } from 'node:path';

import { type Place, problem } from '../../core/problem.js';
import { isName } from '../../core/quoted.js';
import {
  type FieldPath,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  nodeAt,
  pathText,
} from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { type FoundData, dataEntry, joinedData, leftOut, notTaken } from './data-entry.js';
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

/** A generator of a kustomization. */
interface Generator {
  /** Of the kustomization. */
  readonly file: string;
  readonly path: FieldPath;
  readonly node: YamlNode;
}

/**
 * What kustomize makes of the files of a generator. Problems: import/malformed. Warnings: import/missing, import/left-out.
 * Source: kubectl.docs.kubernetes.io, configMapGenerator and secretGenerator.
 */
function generatedData({ file, path, node }: Generator, inputs: Inputs): FoundData {
  if (node.kind !== 'map') return { entries: [], problems: [] };
  const files = nodeAt(node, ['files']);
  const items = files?.kind === 'list' ? files.items : [];
  return joinedData([
    ...items.map((item, index) => {
      const at = { file, path: pathText([...path, 'files', index]), ...item.span };
      return item.kind === 'scalar'
        ? fileEntry(inputs, at, item.text)
        : leftOut('this names no file, and is not taken over', at);
    }),
    ...otherSources(node, file, path),
  ]);
}

function otherSources(node: YamlMap, file: string, path: FieldPath): readonly FoundData[] {
  return node.entries
    .filter(({ key }) => ['literals', 'envs', 'env'].includes(key))
    .map(({ key, keySpan }) => {
      const at = { file, path: pathText([...path, key]), ...keySpan };
      return leftOut(`of a generator the files are taken over, and not its ${key}`, at);
    });
}

/** `key=path`, or a path whose last part is the key. Kustomize reads nothing from elsewhere either (LoadRestrictionsRootOnly). */
function fileEntry(inputs: Inputs, written: Place, text: string): FoundData {
  const [, given, path = ''] = /^(?:([^=]+)=)?(.*)$/s.exec(text) ?? [];
  const file = posix.join(posix.dirname(written.file), path);
  const read = inputs.read(file);
  if (read.kind === 'file') {
    return dataEntry({
      key: given ?? posix.basename(path),
      contents: read.bytes,
      written,
      at: { file },
    });
  }
  const why = read.kind === 'absent' ? 'is not among the files' : `cannot be read: ${read.reason}`;
  const hint = 'put it into the folder that is named, and import again';
  return notTaken(
    problem('import/missing', `this file ${why}, so it is not taken over`, { at: written, hint }),
  );
}
