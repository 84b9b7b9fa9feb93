import { join } from 'node:path';

import { publicFile, secretFile, type OutputFile } from '../../core/output-file.js';
import type { Problem } from '../../core/problem.js';
import { problemsOf, failure, success, type Result } from '../../core/result.js';
import { openRevision } from '../../disk/git/git-revision.js';
import { revisionInputs, notFetched } from '../../disk/git/revision-inputs.js';
import { unreadableFile } from '../../disk/named-file.js';
import { cachedInputs, readInput } from '../../disk/read-inputs.js';
import type { ExternalSources } from '../../disk/external-files/read-reference.js';
import { readTexts } from '../../disk/read-texts.js';
import { plainName, sealedName } from '../../disk/state/sealed-outputs.js';
import { openFile } from '../../disk/state/open-state.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import type { Inputs } from '../../graph/context.js';
import { treeMark } from '../../review/output-tree.js';
import type { Tree } from '../../review/review-tree.js';
import {
  relativeToWorkingDirectory,
  pathFromWorkingDirectory,
  withFilePaths,
} from '../../formats/working-directory.js';
import { configFile } from './ignition-file.js';

/** A folder to compare, on the disk or in a Git revision. */
export interface ReviewFolder {
  /** The user's argument. */
  readonly name: string;
  /** Makes the path of a problem relative to the working directory. */
  readonly placed: (found: Problem) => Problem;
  readonly inputs: Inputs;
  /** Texts of all files, if the folder is a tree. Problems: usage/unreadable-file. */
  readonly texts: () => Result<Tree>;
  readonly isTree: boolean;
  readonly hasConfigs: boolean;
  readonly hasInputs: boolean;
  readonly isEmpty: boolean;
}

export function folderOnDisk(dir: string, outside?: ExternalSources): ReviewFolder {
  const all = cachedInputs(dir, {}, outside);
  const written: Inputs = { ...all, written: () => undefined, writtenPaths: () => [] };
  return folderOf(dir, written, {
    texts: () => readTexts(dir),
    placed: (found) => relativeToWorkingDirectory(dir, found),
  });
}

/** A folder in a Git revision. Problems: review/revision. */
export function folderAt(dir: string, revision: string, outside: ExternalSources): Result<ReviewFolder> {
  const opened = openRevision(dir, revision);
  if (!opened.ok) return opened;
  const { paths, readAll } = opened.value;
  const texts = (): Result<Tree> => {
    const read = readAll(paths);
    const missing = paths.find((path) => !read.has(path));
    if (missing !== undefined) return unreadableFile('the file', shownAs(missing), notFetched);
    return success(Object.fromEntries([...read].map(([path, bytes]) => [path, bytes.toString('utf8')])));
  };
  // In the format of `git show`: the file at this path may differ now.
  const shownAs = (file: string): string => `${revision}:${pathFromWorkingDirectory(dir, file)}`;
  return success(
    folderOf(dir, revisionInputs(opened.value, dir, outside), {
      texts,
      placed: (found) => withFilePaths(found, shownAs),
    }),
  );
}

function folderOf(name: string, inputs: Inputs, by: Pick<ReviewFolder, 'texts' | 'placed'>): ReviewFolder {
  const names = inputs.list('.') ?? [];
  const index = names.includes('index.txt') ? inputs.read('index.txt') : undefined;
  return {
    name,
    inputs,
    ...by,
    isTree: index?.kind === 'file' && Buffer.from(index.bytes).toString('utf8').startsWith(treeMark),
    hasConfigs: names.some(isConfigName),
    hasInputs: names.includes('install-config.yaml'),
    isEmpty: names.length === 0,
  };
}

/** Files next to the configs with the modes they are written with; a checkout does not keep modes. */
const besideConfigs = [
  { path: 'auth/kubeconfig', file: secretFile },
  { path: 'auth/kubeadmin-password', file: secretFile },
  { path: 'metadata.json', file: publicFile },
] as const;

/** The outputs in a folder, decrypted if needed. Problems: usage/unreadable-file, review/not-a-config, those of encrypted contents. */
export async function outputsIn(
  { name, inputs }: ReviewFolder,
  access: StateAccess,
): Promise<Result<readonly OutputFile[]>> {
  const opened = async (path: string): Promise<Result<Uint8Array> | undefined> => {
    const found = inputs.read(path);
    if (found.kind === 'unreadable') return unreadableFile('the file', join(name, path), found.reason);
    return found.kind === 'file' ? openFile(found.bytes, join(name, path), access) : undefined;
  };
  const read: Result<OutputFile>[] = [];
  for (const path of (inputs.list('.') ?? []).filter(isConfigName)) {
    const bytes = (await opened(path)) ?? success(Buffer.alloc(0));
    read.push(bytes.ok ? configFile(plainName(path), bytes.value, join(name, path)) : bytes);
  }
  for (const { path, file } of besideConfigs) {
    const bytes = (await opened(path)) ?? (await opened(sealedName(path)));
    if (bytes !== undefined) read.push(bytes.ok ? success(file(path, bytes.value)) : bytes);
  }
  return read.every(({ ok }) => ok)
    ? success(read.flatMap((each) => (each.ok ? [each.value] : [])))
    : failure(...read.flatMap(problemsOf));
}

function isConfigName(name: string): boolean {
  return plainName(name).endsWith('.ign');
}

export function isFolder(path: string): boolean {
  return readInput(path).kind === 'unreadable' && cachedInputs(path, {}).list('.') !== undefined;
}
