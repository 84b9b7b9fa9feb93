import type { Problem } from '../core/problem.js';
import type { Origin, Traced } from '../fleet/traced.js';

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
