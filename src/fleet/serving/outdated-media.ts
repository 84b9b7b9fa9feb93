import { dirname, join, resolve } from 'node:path';

import { fileFingerprint } from '../../disk/file-size.js';
import { fleetFileName } from '../table/fleet-paths.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { threads } from '../threads/workers.js';
import type { OutdatedMedia } from '../../serve/outdated-media.js';
import type { MediaComparison } from '../threads/tasks.js';

/** A comparison is used for this time, and for ten times as long as it took. */
const freshMs = 15_000;

export interface ComparedFleets {
  /** The fleet of `--fleet`. */
  readonly fleet?: string;
  readonly folders: readonly string[];
  readonly surroundings: Surroundings;
  /** Called with each new fault of a comparison. */
  readonly onFault: (fault: string) => void;
}

/**
 * Compares the media with their fleet in a thread, at the start and then at requests, if the last comparison is too old. Folders belong to
 * the fleet in a parent folder; others are not compared.
 */
export function outdatedMedia({ fleet, folders, surroundings, onFault }: ComparedFleets): OutdatedMedia {
  const dirs = comparedFleets(fleet, folders);
  let [found, freshUntilMs, reported]: [readonly MediaComparison[], number, string] = [[], 0, ''];
  let underWay: Promise<void> | undefined;
  const compare = async (): Promise<void> => {
    const startMs = performance.now();
    found = await Promise.all(dirs.map((dir) => comparisonOf(dir, surroundings)));
    const fault = found.flatMap((each) => each.fault ?? []).join('; ');
    if (fault !== '' && fault !== reported) onFault(fault);
    reported = fault;
    const endMs = performance.now();
    freshUntilMs = endMs + Math.max(freshMs, 10 * (endMs - startMs));
  };
  const refresh = async (): Promise<void> => {
    if (dirs.length === 0 || (underWay === undefined && performance.now() < freshUntilMs)) return;
    underWay ??= compare().finally(() => {
      underWay = undefined;
    });
    await underWay;
  };
  return {
    refresh,
    of: ({ dir }) => {
      const words = found.flatMap(({ outdated }) => outdated.get(resolve(dir)) ?? [])[0];
      const [fault] = found.flatMap((each) => each.fault ?? []);
      return words ?? (fault === undefined ? undefined : `not known to be up to date: ${fault}`);
    },
  };
}

/** Folders of the fleets that media are compared with: that of `--fleet`, or those above the sites. */
export function comparedFleets(fleet: string | undefined, folders: readonly string[]): readonly string[] {
  return fleet === undefined ? fleetsAbove(folders) : [fleet];
}

/** The folder of a site or of its parent may be the outputs of the fleet above it. */
function fleetsAbove(folders: readonly string[]): readonly string[] {
  const above = folders.map((folder) => dirname(resolve(folder)));
  const candidates = new Set([...above, ...above.map((folder) => dirname(folder))]);
  return [...candidates].filter((dir) => fileFingerprint(join(dir, fleetFileName)) !== undefined);
}

async function comparisonOf(dir: string, { variables, present }: Surroundings): Promise<MediaComparison> {
  // A copy, because `process.env` cannot be passed to a thread.
  const order = { dir, variables: { ...variables }, present: present() };
  const workers = threads({ task: 'compare-media', order }, 1);
  try {
    return await workers.run(undefined);
  } catch (error) {
    // The server goes on; the media count as not known to be up to date.
    return { outdated: new Map(), fault: String(error) };
  } finally {
    await workers.close();
  }
}
