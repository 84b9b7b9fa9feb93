import { join, resolve } from 'node:path';

import { standardInput } from '../../disk/external-files/standard-input.js';
import { mediumFault } from '../boot/media-check.js';
import { fleetStatusNow, openRequestedFleet } from '../build/fleet-request.js';
import { statusWords } from '../build/status-words.js';
import type { ComparedFleet, MediaComparison } from '../threads/tasks.js';

/** Compares the media of a fleet with its files, like `fleet status`. Takes seconds for thousands of sites: call it in a thread. */
export function compareMedia({ dir, variables, present }: ComparedFleet): MediaComparison {
  const surroundings = { variables, stdin: standardInput(), present: () => present };
  const opened = openRequestedFleet({ dir }, surroundings);
  if (!opened.ok) return { outdated: new Map(), fault: opened.problems[0]?.message ?? '' };
  const { value: fleet } = opened;
  const faulty = fleetStatusNow({ dir, surroundings }, fleet).sites.filter(
    (status) => mediumFault(status, { until: present, allowsOutdated: false }) !== undefined,
  );
  const folderOf = (name: string): string => resolve(join(dir, fleet.fleet.outputs, name));
  return { outdated: new Map(faulty.map((status) => [folderOf(status.name), statusWords(status)])) };
}
