import { readdirSync } from 'node:fs';
import { normalize, resolve, sep } from 'node:path';

import { byCodeUnit } from '../core/compare.js';
import type { InputRead, Inputs } from '../graph/context.js';
import { digestFile } from './file-digest.js';
import { readReference, type ExternalSources } from './external-files/read-reference.js';
import { isBelow, inputReadPolicy, type ReadPolicy } from './read-policy.js';
import { readRegularFile } from './regular-file.js';
import { noStandardInput } from './external-files/standard-input.js';

/** No environment variables and no stdin. */
const noExternalSources: ExternalSources = { variables: {}, stdin: noStandardInput };

/**
 * The user's files below `dir`, each read once, and the hashes of the outputs of earlier runs. Links may lead to places below `within`
 * (see `inputReadPolicy`).
 */
export function cachedInputs(
  dir: string,
  written: Readonly<Record<string, string>>,
  outside = noExternalSources,
  within = dir,
): Inputs {
  const reads = new Map<string, InputRead>();
  const unkept = uncachedInputs(dir, outside, within);
  return {
    ...unkept,
    read: (path) => {
      const known = reads.get(path);
      if (known !== undefined) return known;
      const fresh = unkept.read(path);
      reads.set(path, fresh);
      return fresh;
    },
    written: (path) => written[path],
    writtenPaths: () => Object.keys(written).sort(byCodeUnit),
  };
}

/** Like `cachedInputs`, but without a cache, so that the files of thousands of sites do not stay in memory. */
export function uncachedInputs(dir: string, outside = noExternalSources, within = dir): Inputs {
  const reach = inputReadPolicy(isBelow(resolve(within), resolve(dir)) ? within : dir);
  return {
    read: (path) => readInput(resolve(dir, path), undefined, reach),
    readReference: (reference) => readReference(reference, dir, outside),
    digest: (path) => digestFile(resolve(dir, path), reach),
    list: (folder) => listFolder(resolve(dir, folder)),
    written: () => undefined,
    writtenPaths: () => [],
  };
}

/**
 * Like `uncachedInputs`, for per-site folders, which most sites do not have. Looks for nothing below a folder that does not exist.
 * Sites are read one after the other, each as often as needed.
 */
export function siteFolderInputs(dir: string, within = dir): Inputs {
  const unkept = uncachedInputs(dir, noExternalSources, within);
  let last = { folder: '', isMissing: false };
  const isMissing = (path: string): boolean => {
    const [folder = ''] = normalize(path).split(sep);
    if (folder !== last.folder) last = { folder, isMissing: unkept.read(folder).kind === 'absent' };
    return last.isMissing;
  };
  return {
    ...unkept,
    read: (path) => (isMissing(path) ? absent : unkept.read(path)),
    digest: (path) => (isMissing(path) ? absent : unkept.digest(path)),
    list: (path) => (isMissing(path) ? undefined : unkept.list(path)),
  };
}

const absent = { kind: 'absent' } as const;

/** Reads the file at a path, following links. Rejects a file of more than `maxBytes`. */
export function readInput(path: string, maxBytes?: number, reach?: ReadPolicy): InputRead {
  const read = readRegularFile(path, maxBytes, reach);
  return read.kind === 'file' ? { kind: 'file', bytes: read.bytes } : read;
}

function listFolder(path: string): readonly string[] | undefined {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort(byCodeUnit);
  } catch {
    return undefined;
  }
}
