import { problem, type Problem } from '../../core/problem.js';
import type { Inputs } from '../../graph/context.js';
import { definitionsFolder, manifestFolders, postInstallFolder } from './paths.js';

/**
 * Reports things other than folders in the places of the manifest folders, such as a link to a missing folder: it would be read as if there
 * were no manifests. Problems: manifest/unreadable.
 */
export function oddFolderProblems(inputs: Pick<Inputs, 'list' | 'read'>): readonly Problem[] {
  return [...manifestFolders, postInstallFolder, definitionsFolder]
    .filter((folder) => inputs.list(folder) === undefined && inputs.read(folder).kind !== 'absent')
    .map((folder) => oddFolder(folder, folder));
}

export function oddFolder(folder: string, file: string): Problem {
  return problem('manifest/unreadable', `${folder} cannot be read as a folder`, {
    at: { file },
    hint: `replace ${folder} with a folder that this user can read, or remove it`,
  });
}
