import { problem, type Place, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import type { InputRead, Inputs } from '../../graph/context.js';
import { isUnchanged, unreadable } from './edits.js';
import {
  baseNameOf,
  definitionsFolder,
  folderOf,
  isManifestName,
  manifestFolders,
  postInstallFolder,
} from './paths.js';

export interface UserFile {
  /** File name as given by the user. */
  readonly file: string;
  /** Path relative to /opt/openshift on the node, if the file contains one object. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface FoundFiles {
  readonly files: readonly UserFile[];
  readonly problems: readonly Problem[];
}

/**
 * Finds the user's files in manifests/ and openshift/, without unchanged files of an earlier run.
 * Problems: manifest/ignored-file, manifest/unreadable, manifest/folder-gone.
 */
export function filesInFolders(inputs: Inputs): FoundFiles {
  return joined(
    manifestFolders.map((folder) => filesIn(folder, folder, inputs)).concat(absentFolders(inputs)),
  );
}

/** Finds the user's files in post-install/. Problems: manifest/ignored-file, manifest/unreadable. */
export function filesInPostInstall(inputs: Inputs): FoundFiles {
  return filesIn(postInstallFolder, postInstallFolder, inputs);
}

/** Finds the user's files in crds/. Problems: manifest/ignored-file, manifest/unreadable. */
export function filesInDefinitions(inputs: Inputs): FoundFiles {
  return filesIn(definitionsFolder, definitionsFolder, inputs);
}

/** An entry of extraManifests. */
export interface ExtraManifestPath {
  readonly path: string;
  /** Place of the entry in sno-config.yaml. */
  readonly at: Place;
}

/**
 * Reads the files and folders in extraManifests of sno-config.yaml.
 * Problems: manifest/extra-missing, manifest/ignored-file, manifest/unreadable.
 */
export function extraManifestFiles(paths: readonly ExtraManifestPath[], inputs: Inputs): FoundFiles {
  return joined(paths.map((named) => filesNamedBy(named, inputs)));
}

function filesNamedBy({ path: written, at }: ExtraManifestPath, inputs: Inputs): FoundFiles {
  const path = written.replace(/\/+$/, '');
  const isFolder = inputs.list(path) !== undefined;
  if (!isFolder && inputs.read(path).kind === 'absent')
    return { files: [], problems: [extraMissing(`${quoted(path)}, which does not exist`, at)] };
  const found = isFolder ? filesIn(path, 'manifests', inputs) : fileAt(path, 'manifests', inputs);
  const isNothing =
    found.files.length === 0 && found.problems.every(({ severity }) => severity === 'warning');
  if (!isNothing) return found;
  const what = isFolder
    ? `the folder ${quoted(path)}, which contains no manifest`
    : `${quoted(path)}, which is not a manifest`;
  return { files: [], problems: [...found.problems, extraMissing(what, at)] };
}

function extraMissing(what: string, at: Place): Problem {
  return problem('manifest/extra-missing', `extraManifests names ${what}`, {
    at,
    hint: 'write a .yaml, .yml or .json file, or a folder that contains such files; paths are relative to --dir',
  });
}

function filesIn(folder: string, nodeFolder: string, inputs: Inputs): FoundFiles {
  return joined((inputs.list(folder) ?? []).map((name) => fileAt(`${folder}/${name}`, nodeFolder, inputs)));
}

function fileAt(file: string, nodeFolder: string, inputs: Inputs): FoundFiles {
  const name = baseNameOf(file);
  if (name === '' || !isManifestName(name) || name.startsWith('.'))
    return { files: [], problems: [ignored(file)] };
  return userFile(file, `${nodeFolder}/${name}`, inputs);
}

function userFile(file: string, path: string, inputs: Inputs): FoundFiles {
  const read: InputRead = inputs.read(file);
  switch (read.kind) {
    case 'absent':
      return { files: [], problems: [] };
    case 'unreadable':
      // The asset that writes a generated file also reports its problems.
      return {
        files: [],
        problems: inputs.written(file) === undefined ? [unreadable(file, read.reason)] : [],
      };
    case 'file': {
      if (isUnchanged(file, read.bytes, inputs)) return { files: [], problems: [] };
      return { files: [{ file, path, bytes: read.bytes }], problems: [] };
    }
  }
}

function ignored(file: string): Problem {
  const isFolder = file.endsWith('/');
  const message = isFolder
    ? `${quoted(file)} is ignored: manifests are read from the folder itself, not from folders in it`
    : `${quoted(file)} is ignored: manifests end in .yaml, .yml or .json and do not start with a dot`;
  const path = file.replace(/\/$/, '');
  const up = 'move its files up';
  const hint = !isFolder
    ? 'rename it if it should be a manifest, else move it out of the folder'
    : [postInstallFolder, definitionsFolder].includes(folderOf(path))
      ? up
      : `${up}, or name ${quoted(path)} in extraManifests of sno-config.yaml`;
  return problem('manifest/ignored-file', message, { at: { file: path }, hint });
}

function absentFolders(inputs: Inputs): readonly FoundFiles[] {
  const absent = manifestFolders.filter(
    (folder) =>
      inputs.list(folder) === undefined &&
      inputs.writtenPaths().some((path) => path.startsWith(`${folder}/`)),
  );
  return absent.map((folder) => {
    const message = `the folder ${folder}/ was deleted, so all its files are generated again`;
    return { files: [], problems: [problem('manifest/folder-gone', message, { at: { file: folder } })] };
  });
}

function joined(parts: readonly FoundFiles[]): FoundFiles {
  return { files: parts.flatMap(({ files }) => files), problems: parts.flatMap(({ problems }) => problems) };
}
