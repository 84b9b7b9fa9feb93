import type { Place, Problem } from '../core/problem.js';
import type { Origin, Traced } from '../formats/yaml/traced.js';

/** A file created by the import. */
export interface ImportedFile {
  readonly path: string;
  readonly text: string;
  /** The origin of each line, or a single origin for a file that is copied as a whole. */
  readonly origins: readonly Origin[] | Origin;
  /** Parsed contents of install-config.yaml or sno-config.yaml, if the import built them. */
  readonly root?: Traced;
}

/** A site converted to the input files of sno-install. */
export interface ImportedSite {
  readonly name: string;
  /** install-config.yaml and sno-config.yaml come first. */
  readonly files: readonly ImportedFile[];
  /** Settings without an equivalent, and errors that prevent the import. */
  readonly problems: readonly Problem[];
  /** BMC address, for the site table of a fleet. */
  readonly bmc?: string;
  /** `holdInstallation` is set: in a fleet, rollouts do not install the site. */
  readonly isOnHold?: true;
}

/** Values from the command line that add to or replace those of the source. */
export interface ImportOverrides {
  readonly installationDisk?: string;
  readonly releaseImage?: string;
  /** A reference for `pullSecretFile`, or the pull secret itself. */
  readonly pullSecret?: { readonly reference: string } | { readonly text: string };
}

/** File for the pull secret of a source. It is kept out of the configs, so that these can be shared. */
export const pullSecretName = 'pull-secret.json';

/** Returns the origin of a value that comes from a command-line option. */
export function originOfOption(option: string): Origin {
  return { at: { file: option } };
}

export function isOption({ at }: Origin): boolean {
  return at.file.startsWith('--');
}

export function isPerLine(origins: ImportedFile['origins']): origins is readonly Origin[] {
  return Array.isArray(origins);
}

/** Returns the origin of a line. */
export function originIn({ origins }: ImportedFile, { line = 1 }: Place): Origin {
  if (!isPerLine(origins)) return origins;
  return origins[line - 1] ?? origins[0] ?? { at: { file: '' } };
}

/** Maps a place in an imported file to the source. Columns are kept for lines that were copied unchanged. */
export function placeInSource(file: ImportedFile, place: Place): Place {
  const { at } = originIn(file, place);
  const { path, col, length } = place;
  const isWholeLine = at.line !== undefined && at.col === undefined;
  return {
    ...at,
    ...(isWholeLine && col !== undefined && { col, ...(length !== undefined && { length }) }),
    ...(path !== undefined && { path }),
  };
}
