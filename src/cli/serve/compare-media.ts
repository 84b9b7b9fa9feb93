import { join, resolve } from 'node:path';

import { standardInput } from '../../disk/external-files/standard-input.js';
import { neededStdin } from '../../fleet/build/fleet-options.js';
import { fleetStatusOf } from '../../fleet/build/fleet-status.js';
import type { GlobalOptions } from '../options.js';
import { mediumFault } from '../fleet/boot/media-check.js';
import { openRequestedFleet, siteOptions } from '../fleet/fleet-request.js';
import { statusWords } from '../fleet/fleet-status.js';

/** The media of a fleet that `fleet status` does not call up to date. */
export interface MediaComparison {
  /** Status in words, by the resolved folder of the site. */
  readonly outdated: ReadonlyMap<string, string>;
  /** Why the fleet could not be read. */
  readonly fault?: string;
}

/** Compares the media of a fleet with its files, like `fleet status`. Takes seconds for thousands of sites: call it in a thread. */
export function compareMedia(options: GlobalOptions): MediaComparison {
  const opened = openRequestedFleet({ dir: options.dir });
  if (!opened.ok) return { outdated: new Map(), fault: opened.problems[0]?.message ?? '' };
  const { value: fleet } = opened;
  const keys = { identities: [], passphrases: [] };
  const order = siteOptions(options, fleet, { keys, ...neededStdin(fleet, standardInput()) });
  const until = order.present;
  const faulty = fleetStatusOf(fleet, order).sites.filter(
    (status) => mediumFault(status, { until, allowsOutdated: false }) !== undefined,
  );
  const folderOf = (name: string): string => resolve(join(options.dir, order.outputs, name));
  return { outdated: new Map(faulty.map((status) => [folderOf(status.name), statusWords(status)])) };
}
