import type { InputRead } from '../../graph/context.js';

/** What the installed node starts from, by the names of sources in node-files.list, such as `openshift/tls/root-ca.crt`. */
export interface AssetFolder {
  readonly read: (source: string) => InputRead;
  readonly list: (folder: string) => FolderRead;
  /** Where a source lies, as messages show it. */
  readonly pathOf: (source: string) => string;
}

/** Every file below a folder, relative to it, sorted, links followed. */
export type FolderRead =
  | { readonly kind: 'folder'; readonly names: readonly string[] }
  | Exclude<InputRead, { readonly kind: 'file' }>;

/** A file with the name that messages show. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
