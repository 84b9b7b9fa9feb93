import { byCodeUnit } from '../core/compare.js';

/** A file of a bundle, with its text if the analysis reads it. */
export interface BundleFile {
  /** Relative to the bundle's root folder. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly text?: string;
}

/** A log bundle in memory. */
export interface Bundle {
  /** The user's argument. */
  readonly name: string;
  /** Folder of the files in the archive or folder, such as `log-bundle-20260102/`; empty for the top. */
  readonly root: string;
  /** Whether the files are in an archive. */
  readonly isArchive?: boolean;
  readonly files: readonly BundleFile[];
  /** Oddities of the archive itself, as sentences. */
  readonly bundleNotes: readonly string[];
}

export interface BundleLimits {
  readonly totalBytes: number;
  readonly entries: number;
  /** Total size of the texts. */
  readonly keptBytes: number;
}

/** Limits for reading a bundle. A real one has about 100 MB in a few thousand files, of which about 20 MB are read. */
export const bundleLimits: BundleLimits = {
  totalBytes: 2 * 1024 ** 3,
  entries: 100_000,
  keptBytes: 64 * 1024 ** 2,
};

/** Only the end of a file is read: 8 MiB are 80,000 lines of a journal. */
const keptBytes = 8 * 1024 * 1024;

/** The whole journal, of which the kernel's lines are used, and logs of etcd; container logs of Fedora CoreOS have the pod's name. */
const machineFiles =
  /(^|\/)(?:bootstrap|control-plane\/[^/]+)\/(?:journals\/journal\.log\.gz|containers\/etcd(?:-member)?-(?:[0-9a-f]{5,64}|etcd-[^/]+)\.log)$/;

const readFiles =
  /(^|\/)(bootstrap\/(services\/[\w.@-]+\.json|journals\/[\w.@-]+\.log)|control-plane\/[^/]+\/journals\/[\w.@-]+\.log|failed-units\.txt|unit-status\/[\w.@-]+\.(log|txt)|rendered-assets\/openshift\/\.?[\w-]+\.done)$/;

/** Number of bytes to read from the end of a file; 0 for files that are only listed. */
export function keptBytesOf(path: string): number {
  return readFiles.test(path) || machineFiles.test(path) ? keptBytes : 0;
}

/** The files of a bundle without their common root folder, and without names that lead out of it. */
export function bundleOf(
  name: string,
  entries: readonly BundleFile[],
  bundleNotes: readonly string[],
): Bundle {
  const named = entries.map((entry) => ({ ...entry, path: entry.path.replace(/^(\.\/)+/, '') }));
  const sound = named.filter(({ path }) => isBelow(path));
  const unsound = named.length - sound.length;
  const paths = sound.map(({ path }) => path);
  const [root = '', ...otherRoots] = rootFolders(paths);
  const isWithin = ({ path }: BundleFile): boolean => otherRoots.length > 0 || path.startsWith(root);
  const files = new Map(
    sound
      .filter(isWithin)
      .map((file) => [otherRoots.length > 0 ? file.path : file.path.slice(root.length), file]),
  );
  return {
    name,
    root: otherRoots.length > 0 ? '' : root,
    files: [...files].map(([path, file]) => ({ ...file, path })),
    bundleNotes: [
      ...bundleNotes,
      ...(unsound === 0 ? [] : [`${unsound} entries with paths outside the bundle were ignored`]),
    ],
  };
}

/** Whether the root of the bundle contains files of a gather script. */
export function isLogBundle({ files }: Bundle): boolean {
  return files.some(({ path }) => /^bootstrap\/(services|journals)\//.test(path));
}

/** Folders of several bundles in one folder, such as `log-bundle-20260102/`; empty for a bundle. */
export function bundlesWithin({ files }: Bundle): readonly string[] {
  const roots = rootFolders(files.map(({ path }) => path));
  return roots.length > 1 ? roots : [];
}

/** A remark on folders that every gather script writes, if the bundle does not have them. */
export function incompleteNotes({ files }: Bundle): readonly string[] {
  const missing = ['services', 'journals'].filter(
    (folder) => !files.some(({ path }) => path.startsWith(`bootstrap/${folder}/`)),
  );
  if (missing.length === 0) return [];
  const folders = missing.map((folder) => `bootstrap/${folder}/`).join();
  return [`this is not a whole log bundle: ${folders} is missing, so faults may not be found`];
}

function isBelow(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0');
}

/** The folders with the files of a gather script, such as `log-bundle-20260102/`, or empty for the top. Sorted, without folders in them. */
function rootFolders(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => /^(.*?)bootstrap\/(?:services|journals)\//.exec(path)?.[1] ?? []);
  const roots = [...new Set(found)].filter((root) => root === '' || root.endsWith('/')).toSorted(byCodeUnit);
  return roots.filter((root) => !roots.some((other) => other !== root && root.startsWith(other)));
}
