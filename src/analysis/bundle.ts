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
  readonly files: readonly BundleFile[];
  /** Oddities of the archive itself, as sentences. */
  readonly remarks: readonly string[];
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
export function bundleOf(name: string, entries: readonly BundleFile[], remarks: readonly string[]): Bundle {
  const named = entries.map((entry) => ({ ...entry, path: entry.path.replace(/^(\.\/)+/, '') }));
  const sound = named.filter(({ path }) => isBelow(path));
  const unsound = named.length - sound.length;
  const root = commonFolder(sound.map(({ path }) => path));
  const files = new Map(sound.map((file) => [file.path.slice(root.length), file]));
  return {
    name,
    files: [...files].map(([path, file]) => ({ ...file, path })),
    remarks: [
      ...remarks,
      ...(unsound === 0 ? [] : [`${unsound} entries with paths outside the bundle were ignored`]),
    ],
  };
}

/** Whether the bundle contains files of a gather script. */
export function isLogBundle({ files }: Bundle): boolean {
  return files.some(({ path }) => /(^|\/)bootstrap\/(services|journals)\//.test(path));
}

/** A remark on folders that every gather script writes, if the bundle does not have them. */
export function incompleteNotes({ files }: Bundle): readonly string[] {
  const missing = ['services', 'journals'].filter(
    (folder) => !files.some(({ path }) => `/${path}`.includes(`/bootstrap/${folder}/`)),
  );
  if (missing.length === 0) return [];
  const folders = missing.map((folder) => `bootstrap/${folder}/`).join();
  return [`this is not a whole log bundle: ${folders} is missing, so faults may not be found`];
}

function isBelow(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0');
}

/** `log-bundle-20260102/` if every path begins with it, otherwise empty. */
function commonFolder(paths: readonly string[]): string {
  const first = paths[0]?.match(/^[^/]+\//)?.[0] ?? '';
  // A bundle has several top folders; paths below bootstrap/ only mean that there is no root folder.
  const isOurs = /^(bootstrap|control-plane|rendered-assets|resources|unit-status)\/$/.test(first);
  return !isOurs && paths.every((path) => path.startsWith(first)) ? first : '';
}
