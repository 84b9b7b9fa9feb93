import type { Stdin } from '../../disk/outside/standard-input.js';
import type { ReadFleet } from '../../fleet/judge-fleet.js';
import { neededStdin, orderOfFleet } from '../../fleet/making/fleet-order.js';
import type { ReviewOrder } from '../../fleet/review/reopened-fleet.js';
import type { AioOptions } from '../options.js';
import { urlOrPath } from '../request.js';

/** Returns the options with which worker threads open the fleet again, with the clock and environment of this process. */
export function reviewOrder(
  read: ReadFleet,
  { dir, commit }: Pick<ReviewOrder, 'dir' | 'commit'>,
  { offlineFiles, stdin }: AioOptions & { readonly stdin: Stdin },
): ReviewOrder {
  const { target, base, overrides, known } = orderOfFleet(read);
  return {
    dir,
    ...(commit !== undefined && { commit }),
    ...{ target, base, overrides, known },
    // A copy, because `process.env` cannot be passed to a thread.
    variables: { ...process.env },
    ...neededStdin(read, stdin),
    ...offlineOf({ ...(offlineFiles !== undefined && { offlineFiles }) }),
    present: new Date(),
  };
}

export function offlineOf({ offlineFiles }: AioOptions): { readonly offlineFiles?: string } {
  return offlineFiles === undefined ? {} : { offlineFiles: urlOrPath(offlineFiles) };
}
