import type { Place, Problem } from '../core/problem.js';
import type { Origin, Traced } from '../formats/yaml/traced.js';

/** A file that is made. */
export interface ImportedFile {
  readonly path: string;
  readonly text: string;
  /** Where each line comes from; one origin for all of them where the file is taken over as a whole. */
  readonly origins: readonly Origin[] | Origin;
  /** What it says, of the two configs. */
  readonly root?: Traced;
}

/** A site in our files. */
export interface ImportedSite {
  readonly name: string;
  /** The configs first. */
  readonly files: readonly ImportedFile[];
  /** What has no place in them, and what forbids to make them. */
  readonly problems: readonly Problem[];
  /** The address of its BMC, for the table of a fleet. */
  readonly bmc?: string;
}

/** What the command line adds to a source. */
export interface ImportWishes {
  readonly installationDisk?: string;
  readonly releaseImage?: string;
  /** A reference for `pullSecretFile`, or the text of the pull secret. */
  readonly pullSecret?: { readonly reference: string } | { readonly text: string };
}

/** Where the pull secret of a source goes: it is no part of a config that people hand round. */
export const pullSecretName = 'pull-secret.json';

/** The place of what the command line says. */
export function originOfOption(option: string): Origin {
  return { at: { file: option } };
}

/** Whether an origin is an option of the command line. */
export function isOption({ at }: Origin): boolean {
  return at.file.startsWith('--');
}

/** Whether each line of a file has an origin of its own. */
export function isPerLine(origins: ImportedFile['origins']): origins is readonly Origin[] {
  return Array.isArray(origins);
}

/** Where a line of a file comes from. */
export function originIn({ origins }: ImportedFile, { line = 1 }: Place): Origin {
  if (!isPerLine(origins)) return origins;
  return origins[line - 1] ?? origins[0] ?? { at: { file: '' } };
}

/** A place of a file as one of its source; in a line that was taken over whole, it is where it was. */
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
