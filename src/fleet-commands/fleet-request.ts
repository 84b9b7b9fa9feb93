import { buildId, templatesFolder } from '../disk/package.js';
import type { ReadFleet } from '../fleet/judge-fleet.js';
import { orderOfFleet } from '../fleet/making/fleet-order.js';
import type { SiteOrder } from '../fleet/making/site-order.js';
import type { AioOptions, GlobalOptions } from '../command-line/options.js';
import { commandLine, urlOrPath } from '../command-line/request.js';

/** What is the same for all sites of a fleet, with the clock, the environment and the command line of this process. */
export function orderOf(
  options: GlobalOptions & AioOptions,
  opened: ReadFleet,
  told: Pick<SiteOrder, 'keys' | 'keyPool' | 'stdin'>,
): Omit<SiteOrder, 'recordKey'> {
  const program = buildId();
  return {
    dir: options.dir,
    ...orderOfFleet(opened),
    ...told,
    // A copy: the environment itself cannot be given to a thread.
    variables: { ...process.env },
    ...(options.offlineFiles !== undefined && { offlineFiles: urlOrPath(options.offlineFiles) }),
    command: commandLine(),
    present: new Date(),
    templatesFolder: templatesFolder(),
    ...(program !== undefined && { program }),
  };
}
