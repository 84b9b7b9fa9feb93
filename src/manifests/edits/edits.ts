import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { sha256 } from '../../formats/sha256.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import type { Inputs } from '../../graph/context.js';
import { describeIdentity, identityKey, identityOf, type Identity } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import { isSecretManifest } from '../../kube/secret-manifest.js';
import { readObjects, userManifest, type UserObject } from './documents.js';
import { neededAt, type NeededFile } from './needed-files.js';
import { folderOf, numberedPath } from './paths.js';

/** A manifest generated from the inputs, before the user's edits. */
export interface GeneratedManifest {
  readonly path: string;
  readonly object: KubeObject;
}

/**
 * Applies the user's edit to a generated manifest: if the file is unchanged or was never written, the manifest is generated again;
 * if it was changed, the user's text is used; if it was deleted, the manifest is left out.
 * Problems: manifest/reserved-name, manifest/unreadable, manifest/deleted, manifest/deleted-needed,
 * manifest/edit-outlives-inputs, manifest/needed-object-changed, and those of `readObjects`.
 */
export function applyEdit(generated: GeneratedManifest, inputs: Inputs): Result<readonly Manifest[]> {
  const { path, object } = generated;
  const text = writeYaml(object);
  const ours: Manifest = {
    path,
    object,
    text,
    isSecret: isSecretManifest(object, text),
    origin: 'generated',
  };
  const written = inputs.written(path);
  const read = inputs.read(path);
  switch (read.kind) {
    case 'unreadable':
      return failure(unreadable(path, read.reason));
    case 'absent':
      return isDeleted(path, inputs) ? deleted(path) : success([ours]);
    case 'file': {
      const found = sha256(read.bytes);
      const made = sha256(text);
      if (found === written || found === made) return success([ours]);
      if (written === undefined) return failure(reserved(path));
      return edited(ours, read.bytes, written === made ? [] : [outlives(path)]);
    }
  }
}

/** Whether an earlier run wrote exactly these bytes to the file. */
export function isUnchanged(path: string, bytes: Uint8Array, inputs: Inputs): boolean {
  return inputs.written(path) === sha256(bytes);
}

/** Problem manifest/unreadable; `reason` is a verb phrase or clause. */
export function unreadable(file: string, reason: string): Problem {
  return problem('manifest/unreadable', `${file} cannot be read: ${reason}`, { at: { file } });
}

/** Whether the user deleted a file. If its whole folder is gone, its files are generated again instead. */
export function isDeleted(path: string, inputs: Inputs): boolean {
  return inputs.written(path) !== undefined && inputs.list(folderOf(path)) !== undefined;
}

/** Problem manifest/deleted-needed: the user deleted a file that a step of the installation reads. */
export function deletedNeeded(path: string, { why }: NeededFile): Problem {
  const message = `${path} was deleted, and the installation needs it: ${why}`;
  return problem('manifest/deleted-needed', message, {
    at: { file: path },
    hint: `restore the file, or delete all of ${folderOf(path)}/ to generate its files again without your edits`,
  });
}

/** Problems: manifest/needed-object-changed. */
export function identityProblems(want: Identity, { object, source }: UserObject): readonly Problem[] {
  const given = identityOf(object);
  if (identityKey(want) === identityKey(given)) return [];
  const message = `the node reads ${describeIdentity(want)} from this file, and it holds ${describeIdentity(given)}`;
  return [
    problem('manifest/needed-object-changed', message, {
      at: manifestFieldPlace(source, ['metadata', 'name']),
      hint: 'keep kind, name and namespace, and put other objects into separate files',
    }),
  ];
}

function deleted(path: string): Result<readonly Manifest[]> {
  const needed = neededAt(path);
  if (needed !== undefined) return failure(deletedNeeded(path, needed));
  const message = `${path} was deleted and is left out of the installation`;
  const hint = `to get it back, delete all of ${folderOf(path)}/, and your edits in it, and run \`sno-install create manifests\``;
  return success([], [problem('manifest/deleted', message, { at: { file: path }, hint })]);
}

function edited(
  ours: Manifest,
  bytes: Uint8Array,
  warnings: readonly Problem[],
): Result<readonly Manifest[]> {
  const read = readObjects(ours.path, bytes);
  if (!read.ok) return read;
  const [first, ...others] = read.value;
  if (first === undefined) return success([], warnings);
  const changed = neededAt(ours.path) === undefined ? [] : identityProblems(identityOf(ours.object), first);
  if (changed.length > 0) return failure(...changed);
  // The node reads some files by name, so the first document keeps the name; each of the others gets its own file.
  const numbered = others.map((other, index) => userManifest(numberedPath(ours.path, index + 2), other));
  return success([{ ...userManifest(ours.path, first), origin: 'edited' }, ...numbered], warnings);
}

function reserved(path: string): Problem {
  const message = `${path} has the name of a generated manifest, but was not generated in this directory`;
  return problem('manifest/reserved-name', message, {
    at: { file: path },
    hint: 'to change a generated manifest, run `sno-install create manifests` first and edit its file; otherwise rename this file',
  });
}

function outlives(path: string): Problem {
  const message = `${path} was edited, so it is not updated although other inputs have changed`;
  return problem('manifest/edit-outlives-inputs', message, {
    at: { file: path },
    hint: 'compare it with the output of `sno-install create manifests` in an empty directory',
  });
}
