import type { Stdin } from '../../disk/external-files/standard-input.js';
import type { LoadedFleet } from '../../fleet/check-fleet.js';
import { neededStdin, fleetOptions } from '../../fleet/build/fleet-options.js';
import type { ReviewOptions } from '../../fleet/review/reopen-fleet.js';
import type { AioOptions } from '../options.js';
import { urlOrPath } from '../request.js';

/** Returns the options with which worker threads open the fleet again, with the clock and environment of this process. */
export function reviewOptions(
  read: LoadedFleet,
  { dir, commit }: Pick<ReviewOptions, 'dir' | 'commit'>,
  { offlineFiles, stdin }: AioOptions & { readonly stdin: Stdin },
): ReviewOptions {
  const { target, base, overrides, classes, raw, known } = fleetOptions(read);
  return {
    dir,
    ...(commit !== undefined && { commit }),
    ...{ target, base, overrides, classes, raw, known },
    // A copy, because `process.env` cannot be passed to a thread.
    variables: { ...process.env },
    ...neededStdin(read, stdin),
    ...offlineOption({ ...(offlineFiles !== undefined && { offlineFiles }) }),
    present: new Date(),
  };
}

export function offlineOption({ offlineFiles }: AioOptions): { readonly offlineFiles?: string } {
  return offlineFiles === undefined ? {} : { offlineFiles: urlOrPath(offlineFiles) };
}
