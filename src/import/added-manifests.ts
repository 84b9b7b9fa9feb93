import { posix } from 'node:path';

import { problem, type Problem } from '../core/problem.js';
import { decodeUtf8 } from '../formats/utf8.js';
import { isYamlName } from '../formats/yaml/yaml.js';
import type { Inputs } from '../graph/context.js';
import type { ImportedFile } from './imported-site.js';

/** Manifests copied unchanged from the source. */
export interface AddedManifests {
  readonly files: readonly ImportedFile[];
  /** Warnings: import/left-out. */
  readonly problems: readonly Problem[];
}

/** Copies the manifests in `folders` of the source to folders of the same names. */
export function addedManifests(inputs: Inputs, folders: readonly string[]): AddedManifests {
  const found = folders.flatMap((folder) =>
    (inputs.list(folder) ?? []).map((entry) => manifestAt(inputs, posix.join(folder, entry))),
  );
  return { files: found.flatMap(({ files }) => files), problems: found.flatMap(({ problems }) => problems) };
}

function manifestAt(inputs: Inputs, path: string): AddedManifests {
  const read = isYamlName(path) ? inputs.read(path) : undefined;
  const text = read?.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text !== undefined) return { files: [{ path, text, origins: linesOf(path, text) }], problems: [] };
  const hint = 'manifests must be YAML or JSON files directly in this directory';
  const why = read?.kind === 'unreadable' ? read.reason : 'it is not a manifest';
  const message = `the file is not imported: ${why}`;
  return {
    files: [],
    problems: [problem('import/left-out', message, { at: { file: path.replace(/\/$/, '') }, hint })],
  };
}

function linesOf(file: string, text: string): ImportedFile['origins'] {
  return text.split('\n').map((_, index) => ({ at: { file, line: index + 1 } }));
}
