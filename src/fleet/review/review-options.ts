import type { Surroundings } from '../../run/effects/surroundings.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { neededStdin, fleetOptions } from '../build/fleet-options.js';
import type { ReviewOptions } from './reopen-fleet.js';
import { urlOrPath } from '../../run/effects/command-line.js';

/** Returns the options with which worker threads open the fleet again. */
export function reviewOptions(
  read: LoadedFleet,
  { dir, commit }: Pick<ReviewOptions, 'dir' | 'commit'>,
  {
    offlineFiles,
    placeholderRegistries,
    surroundings: { variables, stdin, present },
  }: OfflineFiles & Pick<ReviewOptions, 'placeholderRegistries'> & { readonly surroundings: Surroundings },
): ReviewOptions {
  const { target, base, overrides, classes, raw, known } = fleetOptions(read);
  return {
    dir,
    ...(commit !== undefined && { commit }),
    ...{ target, base, overrides, classes, raw, known },
    // A copy, because `process.env` cannot be passed to a thread.
    variables: { ...variables },
    ...neededStdin(read, stdin),
    ...offlineOption({ ...(offlineFiles !== undefined && { offlineFiles }) }),
    ...(placeholderRegistries && { placeholderRegistries }),
    present: present(),
  };
}

/** A URL or a folder. */
interface OfflineFiles {
  readonly offlineFiles?: string;
}

export function offlineOption({ offlineFiles }: OfflineFiles): { readonly offlineFiles?: string } {
  return offlineFiles === undefined ? {} : { offlineFiles: urlOrPath(offlineFiles) };
}
