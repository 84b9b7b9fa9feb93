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
import { type FoundData, dataEntry, joinData, leftOut, onlyProblem } from './data-entry.js';
import { generatorsNamed, resourcesNamed } from './resource-index.js';
import type { Resource } from './resources.js';

/** A reference to a ConfigMap or Secret. */
export interface DataReference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Namespace of the referring object, which is also that of the target. */
  readonly namespace: string;
}

/**
 * Reads the entries of a ConfigMap or Secret, from the object or from the files of a kustomize generator. Undefined if the
 * resources contain neither. Problems: import/malformed. Warnings: import/missing, import/left-out.
 */
export function referencedData(
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

/** An empty namespace matches any, because it is set when the file is applied. */
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
  return joinData(found);
}

function ownEntry({ key, value }: YamlEntry, at: Place, isEncoded: boolean): FoundData {
  if (value.kind !== 'scalar') {
    const hint = 'write the text as a block scalar with `|`';
    return onlyProblem(problem('import/malformed', 'the value is not a string', { at, hint }));
  }
  if (isEncoded && !isBase64(value.text)) {
    const hint = 'write it in base64, or as plain text below stringData';
    return onlyProblem(problem('import/malformed', 'the value is not valid base64', { at, hint }));
  }
  const contents = isEncoded ? Buffer.from(value.text, 'base64') : value.text;
  return dataEntry({ key, contents, written: at, at, lines: isEncoded ? undefined : value.lines });
}

/** The API server rejects other texts; Node.js ignores invalid characters. Source: Go encoding/base64, StdEncoding, which skips line ends */
function isBase64(text: string): boolean {
  const digits = text.replaceAll(/[\r\n]/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
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

/** An entry of `configMapGenerator` or `secretGenerator`. */
interface Generator {
  /** The kustomization file. */
  readonly file: string;
  readonly path: FieldPath;
  readonly node: YamlNode;
}

/**
 * Reads the entries that kustomize generates from files. Problems: import/malformed. Warnings: import/missing, import/left-out.
 * Source: kubectl.docs.kubernetes.io, configMapGenerator and secretGenerator.
 */
function generatedData({ file, path, node }: Generator, inputs: Inputs): FoundData {
  if (node.kind !== 'map') return { entries: [], problems: [] };
  const files = nodeAt(node, ['files']);
  const items = files?.kind === 'list' ? files.items : [];
  return joinData([
    ...items.map((item, index) => {
      const at = { file, path: pathText([...path, 'files', index]), ...item.span };
      return item.kind === 'scalar'
        ? fileEntry(inputs, at, item.text)
        : leftOut('this entry is not a file path and is not imported', at);
    }),
    ...otherSources(node, file, path),
  ]);
}

function otherSources(node: YamlMap, file: string, path: FieldPath): readonly FoundData[] {
  return node.entries
    .filter(({ key }) => ['literals', 'envs', 'env'].includes(key))
    .map(({ key, keySpan }) => {
      const at = { file, path: pathText([...path, key]), ...keySpan };
      return leftOut(`only files of a generator are imported, not ${key}`, at);
    });
}

/**
 * `text` is `key=path`, or a path whose base name is the key. Kustomize also rejects files outside its folder
 * (LoadRestrictionsRootOnly).
 */
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
  const why = read.kind === 'absent' ? 'it does not exist' : read.reason;
  const hint = 'add it to the imported directory and import again';
  return onlyProblem(problem('import/missing', `the file is not imported: ${why}`, { at: written, hint }));
}
