import { posix } from 'node:path';

import { problem, type Place } from '../../core/problem.js';
import {
  nodeAt,
  pathText,
  type FieldPath,
  type YamlMap,
  type YamlNode,
} from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { dataEntry, joinedData, leftOut, notTaken, type FoundData } from './data-entry.js';

/** A generator of a kustomization. */
export interface Generator {
  /** Of the kustomization. */
  readonly file: string;
  readonly path: FieldPath;
  readonly node: YamlNode;
}

/**
 * What kustomize makes of the files of a generator. Problems: import/malformed. Warnings: import/missing, import/left-out.
 * Source: kubectl.docs.kubernetes.io, configMapGenerator and secretGenerator.
 */
export function generatedData({ file, path, node }: Generator, inputs: Inputs): FoundData {
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
