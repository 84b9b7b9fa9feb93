/** What `import` is told on the command line. */
export interface ImportOptions {
  readonly installationDisk?: string;
  readonly releaseImage?: string;
  /** A file, or `env:NAME`. */
  readonly pullSecretFile?: string;
  readonly force?: true;
  /** Of several, the one that is meant. */
  readonly site?: string;
  /** All of them, as a fleet. */
  readonly fleet?: true;
}
