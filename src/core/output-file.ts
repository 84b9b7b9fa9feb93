/** A file to write, relative to the directory the user names. */
export interface OutputFile {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  readonly contents: string | Uint8Array;
  /** Permission bits on disk. */
  readonly mode: number;
}

/** A file only its owner may read: keys, kubeconfigs, passwords and everything that embeds them. */
export function secretFile(path: string, contents: string | Uint8Array): OutputFile {
  return { path, contents, mode: 0o600 };
}

/** A file that holds no secret. */
export function publicFile(path: string, contents: string | Uint8Array): OutputFile {
  return { path, contents, mode: 0o644 };
}
