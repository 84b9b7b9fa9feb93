import { posix } from 'node:path';

import type { Place } from '../../core/problem.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { nodeAt, type Span } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { itemsAt, textAt, type Resource } from './resources.js';

/** A text that a ConfigMap or a Secret holds under a key. */
export interface DataEntry {
  readonly key: string;
  readonly text: string;
  /** Of its first line. */
  readonly at: Place;
  /** Where each of its lines stands, where it is written as a block. */
  readonly lines?: readonly Span[];
}

/** An object that holds texts, by how others refer to it. */
export interface DataReference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Of who refers to it: objects elsewhere are others. */
  readonly namespace: string;
}

/**
 * The texts of a ConfigMap or Secret: of the object itself, or of the files of which kustomize generates it. Undefined where
 * neither is among the resources. Source: kubectl.docs.kubernetes.io, configMapGenerator and secretGenerator.
 */
export function dataOf(
  resources: readonly Resource[],
  inputs: Inputs,
  wanted: DataReference,
): readonly DataEntry[] | undefined {
  const own = resources.find(
    ({ kind, name, namespace }) =>
      kind === wanted.kind && name === wanted.name && isSame(namespace, wanted.namespace),
  );
  return own === undefined ? generated(resources, inputs, wanted) : ownEntries(own);
}

/** A file that leaves its namespace out is applied where its neighbours are. */
function isSame(left: string, right: string): boolean {
  return left === '' || right === '' || left === right;
}

function ownEntries({ root, file, kind }: Resource): readonly DataEntry[] {
  return (['data', 'stringData'] as const).flatMap((field) => {
    const node = nodeAt(root, [field]);
    if (node?.kind !== 'map') return [];
    return node.entries.flatMap(({ key, keySpan, value }) => {
      if (value.kind !== 'scalar') return [];
      const at = { file, path: field, ...keySpan };
      if (kind === 'Secret' && field === 'data')
        return [{ key, text: Buffer.from(value.text, 'base64').toString('utf8'), at }];
      return [{ key, text: value.text, at, ...(value.lines && { lines: value.lines }) }];
    });
  });
}

function generated(
  resources: readonly Resource[],
  inputs: Inputs,
  { kind, name, namespace }: DataReference,
): readonly DataEntry[] | undefined {
  const field = kind === 'Secret' ? 'secretGenerator' : 'configMapGenerator';
  for (const { root, file } of resources.filter((each) => each.kind === 'Kustomization')) {
    const generators = itemsAt(root, [field]);
    const found = generators.find(
      (each) =>
        textAt(each, ['name']) === name &&
        isSame(textAt(each, ['namespace']) ?? textAt(root, ['namespace']) ?? '', namespace),
    );
    if (found !== undefined) {
      return itemsAt(found, ['files']).flatMap((item) =>
        item.kind === 'scalar' ? fileEntry(inputs, { file, ...item.span }, item.text) : [],
      );
    }
  }
  return undefined;
}

/** `key=path`, or a path whose last part is the key. */
function fileEntry(inputs: Inputs, at: Place, written: string): readonly DataEntry[] {
  const [, given, path = ''] = /^(?:([^=]+)=)?(.*)$/s.exec(written) ?? [];
  const file = posix.join(posix.dirname(at.file), path);
  const read = inputs.read(file);
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  return text === undefined ? [] : [{ key: given ?? posix.basename(path), text, at: { file } }];
}
