import { join } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import { isFipsHost } from '../../disk/file-systems/fips-host.js';
import { ensureRecordKey } from '../../disk/site-record/record-key.js';
import type { AgeKeys } from '../../formats/age.js';
import type { Renewal } from '../../run/effects/clock.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { commandLine } from '../../run/effects/command-line.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { siteOptions } from './fleet-request.js';
import { fleetWide } from '../problems/grouped-problems.js';
import { emptyResult, type FleetResult } from './build-fleet.js';
import { inOutputFolder } from './build-site.js';
import { neededStdin } from './fleet-options.js';
import { generateSites } from './generate-sites.js';
import { isoBases } from './iso-bases.js';
import { isoSpaceFaults } from './iso-space.js';
import type { encryptedConfigFaults } from './site-iso.js';
import type { LiveIsoOptions } from './site-options.js';
import { summarySite, writeSummary } from './write-summary.js';

interface CreateOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly offlineFiles?: string;
}

export interface SitesToCreate {
  readonly opened: LoadedFleet;
  readonly keys: AgeKeys;
  readonly surroundings: Surroundings;
  readonly renewal?: Renewal;
  readonly iso?: LiveIsoOptions;
  readonly jobs: number;
  readonly stop: AbortSignal;
  readonly failFast: boolean;
  /** Called with the outcome of each site. */
  readonly onSite: (outcome: string) => void;
}

/** Generates sites into the output folder and holds its lock. Each site has its own lock in addition. Writes fleet.json. */
export async function createSites(options: CreateOptions, given: SitesToCreate): Promise<FleetResult> {
  const { opened, keys, surroundings, jobs, renewal, iso, stop, failFast, onSite } = given;
  const { outputs } = opened.fleet;
  const dir = join(options.dir, outputs);
  const shown = (problems: readonly Problem[]): readonly Problem[] =>
    problems.map((each) => inOutputFolder(each, outputs));
  const lock = await openDirectory(dir, commandLine(), options.dir);
  if (!lock.ok) return emptyResult(shown(lock.problems));
  const bases = isoBases(dir, iso);
  try {
    const space = iso === undefined ? [] : isoSpaceFaults({ dir: options.dir, opened, iso, jobs });
    if (space.length > 0) return emptyResult(space);
    const recordKey = ensureRecordKey(dir);
    if (!recordKey.ok) return emptyResult(shown(recordKey.problems));
    const known = { keys, ...neededStdin(opened, surroundings.stdin) };
    const order = {
      ...siteOptions({ ...options, surroundings }, opened, known),
      ...(renewal && { renewal }),
      ...(bases.iso && { iso: bases.iso }),
      recordKey: recordKey.value,
      isFipsHost: isFipsHost(),
    };
    const made = await generateSites({ opened, order, jobs, stop, failFast, onSite });
    const written = writeSummary(dir, { opened, order }, made.sites.flatMap(summarySite));
    return {
      ...made,
      problems: [...made.problems, ...shown(problemsOf(written)).map(fleetWide)],
    };
  } finally {
    bases.remove();
    lock.value.release();
  }
}

/** The output folders of the selected sites. */
export function sitesBelow(
  options: Pick<CreateOptions, 'dir'>,
  { fleet, rows }: LoadedFleet,
): Parameters<typeof encryptedConfigFaults>[0] {
  return { dir: join(options.dir, fleet.outputs), names: rows.map(({ name }) => name) };
}
