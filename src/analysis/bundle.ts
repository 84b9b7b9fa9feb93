/** One file of a bundle. Text is there for the files that the analysis reads. */
export interface BundleFile {
  /** Below the bundle's root folder. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly text?: string;
}

/** A log bundle in memory. */
export interface Bundle {
  /** As the user named it. */
  readonly name: string;
  readonly files: readonly BundleFile[];
  /** What is odd about the archive itself, as sentences. */
  readonly remarks: readonly string[];
}

export interface BundleLimits {
  readonly totalBytes: number;
  readonly entries: number;
  /** Of all texts together. */
  readonly keptBytes: number;
}

/** What is read of a bundle at most. A real one unpacks to some 100 MB with a few thousand files, of which some 20 MB are read. */
export const bundleLimits: BundleLimits = {
  totalBytes: 2 * 1024 ** 3,
  entries: 100_000,
  keptBytes: 64 * 1024 ** 2,
};

/** Of a file that is read, the end counts: 8 MiB are 80,000 lines of a journal. */
const keptBytes = 8 * 1024 * 1024;

const readFiles =
  /(^|\/)(bootstrap\/(services\/[\w.@-]+\.json|journals\/[\w.@-]+\.log)|control-plane\/[^/]+\/journals\/[\w.@-]+\.log|failed-units\.txt|unit-status\/[\w.@-]+\.(log|txt)|rendered-assets\/openshift\/\.?[\w-]+\.done)$/;

/** How many bytes of a bundle's file are read, from its end; 0 for those that are only listed. */
export function keptBytesOf(path: string): number {
  return readFiles.test(path) ? keptBytes : 0;
}

/** The files of a bundle without the folder that all of them lie in, and without names that lead out of it. */
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
      ...(unsound === 0 ? [] : [`${unsound} entries whose names lead out of the bundle were passed over`]),
    ],
  };
}

/** Whether anything of the bundle is what a gather script leaves. */
export function isLogBundle({ files }: Bundle): boolean {
  return files.some(({ path }) => /(^|\/)bootstrap\/(services|journals)\//.test(path));
}

function isBelow(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0');
}

/** `log-bundle-20260102/` when every path begins with it, else nothing. */
function commonFolder(paths: readonly string[]): string {
  const first = paths[0]?.match(/^[^/]+\//)?.[0] ?? '';
  // A bundle has several folders at its top: a path such as bootstrap/… alone means that there is no root folder.
  const isOurs = /^(bootstrap|control-plane|rendered-assets|resources|unit-status)\/$/.test(first);
  return !isOurs && paths.every((path) => path.startsWith(first)) ? first : '';
}
