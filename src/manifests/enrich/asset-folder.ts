import type { InputRead } from '../../graph/context.js';

/** Inputs of the installed node's config, by their source names in node-files.list, such as `openshift/tls/root-ca.crt`. */
export interface AssetFolder {
  readonly read: (source: string) => InputRead;
  readonly list: (folder: string) => FolderRead;
  /** Path of a source for messages. */
  readonly pathOf: (source: string) => string;
}

/** For a folder: all files below it, with relative paths, sorted. Follows symbolic links. */
export type FolderRead =
  | { readonly kind: 'folder'; readonly names: readonly string[] }
  | Exclude<InputRead, { readonly kind: 'file' }>;

/** A file with its name for messages. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
