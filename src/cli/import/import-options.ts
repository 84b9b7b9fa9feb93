export interface ImportOptions {
  readonly installationDisk?: string;
  readonly releaseImage?: string;
  /** A file, or `env:NAME`. */
  readonly pullSecretFile?: string;
  readonly overwrite?: true;
  /** Selects one of several clusters. */
  readonly site?: string;
  /** Imports all clusters as a fleet. */
  readonly fleet?: true;
}
