import type { BootImageFormat, StreamArchitecture } from '../../media/stream-metadata.js';

export interface DownloadOptions {
  readonly release?: string;
  readonly arch?: StreamArchitecture;
  readonly format: BootImageFormat;
  /** A file, or `-` for stdin. */
  readonly stream?: string;
  readonly osStream?: string;
  /** A file, or a folder for several files. */
  readonly out?: string;
  readonly print?: true;
}
