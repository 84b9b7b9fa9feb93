/** A file to write to the user's directory. */
export interface OutputFile {
  /** Relative to that directory, with `/` as separator. */
  readonly path: string;
  readonly contents: string | Uint8Array;
  readonly mode: number;
}

/** A file that only its owner may read: keys, kubeconfigs, passwords and files that embed them. */
export function secretFile(path: string, contents: string | Uint8Array): OutputFile {
  return { path, contents, mode: 0o600 };
}

/** A file without secrets. */
export function publicFile(path: string, contents: string | Uint8Array): OutputFile {
  return { path, contents, mode: 0o644 };
}
